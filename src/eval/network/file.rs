//! Networks as files.

use super::{HIDDEN, Network, OUTPUT_BUCKETS, Vector};
use crate::eval::features::FEATURES;
use crate::eval::piece_square;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, LazyLock};
use thiserror::Error;

/// How every file begins.
const MAGIC: &[u8; 8] = b"ChuHeNet";
/// The format of what follows.
const VERSION: u32 = 1;
/// Rows, width and outputs.
const SHAPE: [u32; 3] = [FEATURES as u32, HIDDEN as u32, OUTPUT_BUCKETS as u32];
/// Bytes of magic, version, shape, checksum of the placement, checksum, and length of the story.
const HEAD: usize = 8 + 4 + 12 + 4 + 4 + 4;
/// Bytes of the weights.
const WEIGHTS: usize = 2 * HIDDEN * (FEATURES + 1 + 2 * OUTPUT_BUCKETS) + 4 * OUTPUT_BUCKETS;
/// Longest story that is read, in bytes.
const MAX_DESCRIPTION_BYTES: usize = 1 << 16;

/// Why a file is no network that can be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// The system refuses; its words.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// A folder, a device, a pipe.
    #[error("not a file")]
    NoFile,
    /// It begins otherwise.
    #[error("not a network of ChuHe")]
    Magic,
    /// Made for another version.
    #[error("a network of format {0}, not {VERSION}")]
    Version(u32),
    /// Of another shape.
    #[error("the network's shape is {0:?}, not {SHAPE:?}")]
    Shape([u32; 3]),
    /// Learned on top of other values of men and squares.
    #[error("the network was made for another table of placement")]
    Placement,
    /// It ends too early, or too late.
    #[error("the network has {0} bytes, not {1}")]
    Length(usize, usize),
    /// Its sum is wrong.
    #[error("the network is damaged: its checksum is wrong")]
    Checksum,
    /// The story is no text.
    #[error("the network's description is no text")]
    Text,
    /// Sums could overflow.
    #[error("the network's weights are too large")]
    Weights,
}

impl Network {
    /// The network that comes with the engine.
    pub fn built_in() -> Arc<Network> {
        static BUILT_IN: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let bytes = include_bytes!("chuhe.net");
            Arc::new(Network::read(bytes).expect("invariant: the built-in network is sound, as a test has seen"))
        });
        Arc::clone(&BUILT_IN)
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    /// When it cannot be read, or is no network that can be used.
    pub fn open(path: &Path) -> Result<Arc<Network>, NetworkError> {
        let unreadable = |error: io::Error| NetworkError::Unreadable(error.to_string());
        // Looked at before it is opened: opening a pipe can wait for ever.
        if !path.metadata().map_err(unreadable)?.is_file() {
            return Err(NetworkError::NoFile);
        }
        let mut bytes = Vec::new();
        let longest = (HEAD + MAX_DESCRIPTION_BYTES + WEIGHTS) as u64;
        File::open(path).and_then(|file| file.take(longest + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
        Network::read(&bytes).map(Arc::new)
    }

    /// The network as a file: the magic; version, shape (rows, width, outputs), checksum of the placement it was learned on
    /// top of, CRC-32 of all that follows it, and length of the story, four bytes each; the story; the weights in the order
    /// of the fields of [`Network`], two bytes each, the output biases four. All in little-endian order.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut rest = Vec::with_capacity(WEIGHTS + 256);
        rest.extend((self.description.len() as u32).to_le_bytes());
        rest.extend(self.description.as_bytes());
        let rows = self.rows.iter().chain([&self.bias]).chain(self.outputs.as_flattened());
        rest.extend(rows.flat_map(|row| row.0).flat_map(i16::to_le_bytes));
        rest.extend(self.output_bias.into_iter().flat_map(i32::to_le_bytes));
        let words = [VERSION].into_iter().chain(SHAPE).chain([piece_square::checksum(), crc32fast::hash(&rest)]);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(words.flat_map(u32::to_le_bytes));
        bytes.extend(rest);
        bytes
    }

    /// The CRC-32 of all that, by which networks are told apart.
    pub fn checksum(&self) -> u32 {
        crc32fast::hash(&self.to_bytes())
    }

    /// Reads [`Network::to_bytes`].
    ///
    /// # Errors
    /// When it is not that, or damaged.
    pub fn read(bytes: &[u8]) -> Result<Network, NetworkError> {
        if !bytes.starts_with(MAGIC) {
            return Err(NetworkError::Magic);
        }
        let (words, _) = bytes[MAGIC.len()..].as_chunks::<4>();
        let word = |index: usize| {
            let word = words.get(index).ok_or(NetworkError::Length(bytes.len(), HEAD + WEIGHTS))?;
            Ok(u32::from_le_bytes(*word))
        };
        if word(0)? != VERSION {
            return Err(NetworkError::Version(word(0)?));
        }
        let shape = [word(1)?, word(2)?, word(3)?];
        if shape != SHAPE {
            return Err(NetworkError::Shape(shape));
        }
        let length = HEAD.saturating_add(word(6)? as usize).saturating_add(WEIGHTS);
        if bytes.len() != length {
            return Err(NetworkError::Length(bytes.len(), length));
        }
        if word(5)? != crc32fast::hash(&bytes[HEAD - 4..]) {
            return Err(NetworkError::Checksum);
        }
        if word(4)? != piece_square::checksum() {
            return Err(NetworkError::Placement);
        }
        let (description, weights) = bytes[HEAD..].split_at(length - HEAD - WEIGHTS);
        let description = str::from_utf8(description).map_err(|_| NetworkError::Text)?.to_string();
        let (small, large) = weights.split_at(WEIGHTS - 4 * OUTPUT_BUCKETS);
        let (small, _) = small.as_chunks::<2>();
        let mut rows =
            small.chunks_exact(HIDDEN).map(|row| Vector(std::array::from_fn(|at| i16::from_le_bytes(row[at]))));
        let mut next = || rows.next().expect("invariant: the length was looked at");
        let (biases, _) = large.as_chunks::<4>();
        let network = Network {
            description,
            rows: (0..FEATURES).map(|_| next()).collect(),
            bias: next(),
            outputs: Box::new(std::array::from_fn(|_| [next(), next()])),
            output_bias: std::array::from_fn(|output| i32::from_le_bytes(biases[output])),
        };
        if network.cannot_overflow() { Ok(network) } else { Err(NetworkError::Weights) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::random;
    use super::*;

    #[test]
    fn files_are_read_as_they_were_written_and_damage_is_noticed() {
        let network = random(2);
        let bytes = network.to_bytes();
        assert_eq!(Network::read(&bytes).as_ref(), Ok(&network));
        for place in (0..200).chain((200..bytes.len()).step_by(1_009)) {
            let mut changed = bytes.clone();
            changed[place] ^= 0x20;
            assert!(Network::read(&changed).is_err(), "byte {place}");
        }
        for length in [0, 7, 8, 20, HEAD - 1, HEAD, bytes.len() - 1] {
            assert!(Network::read(&bytes[..length]).is_err(), "{length} bytes");
        }
        assert_eq!(
            Network::read(&[&bytes[..], b"x"].concat()),
            Err(NetworkError::Length(bytes.len() + 1, bytes.len()))
        );
    }

    #[test]
    fn weights_that_could_overflow_are_refused() {
        let refused = |change: fn(&mut Network)| {
            let mut network = random(3);
            change(&mut network);
            Network::read(&network.to_bytes()) == Err(NetworkError::Weights)
        };
        assert!(refused(|network| network.rows[7].0[9] = 1_000));
        assert!(refused(|network| network.outputs[7] = [Vector([57; HIDDEN]), Vector([-200; HIDDEN])]));
        assert!(refused(|network| network.output_bias[2] = i32::MIN));
    }

    #[test]
    fn what_is_sound_but_not_for_this_engine_is_refused_with_the_reason() {
        let network = Network { description: "a story".to_string(), ..random(4) };
        let refused = |change: fn(&mut [u8])| {
            let mut bytes = network.to_bytes();
            change(&mut bytes);
            let sum = crc32fast::hash(&bytes[HEAD - 4..]);
            bytes[HEAD - 8..HEAD - 4].copy_from_slice(&sum.to_le_bytes());
            Network::read(&bytes).unwrap_err()
        };
        assert_eq!(refused(|bytes| bytes[8] = 2), NetworkError::Version(2));
        assert_eq!(refused(|bytes| bytes[16] = 1), NetworkError::Shape([SHAPE[0], SHAPE[1] + 1, SHAPE[2]]));
        assert_eq!(refused(|bytes| bytes[24] ^= 1), NetworkError::Placement);
        assert_eq!(refused(|bytes| bytes[HEAD] = 0xff), NetworkError::Text);
    }

    #[test]
    fn what_is_no_file_is_refused_at_once() {
        for place in ["/dev/zero", "src", "src/no.net"] {
            assert!(Network::open(Path::new(place)).is_err(), "{place}");
        }
    }

    #[test]
    fn the_built_in_network_is_sound() {
        assert!(!Network::built_in().description.is_empty());
    }
}
