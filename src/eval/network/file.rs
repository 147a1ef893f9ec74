//! Network files.

use super::quantised::{Network, OUTPUT_BUCKETS};
use super::vector::{ATTACK_HIDDEN, AttackVector, HIDDEN, Vector};
use crate::eval::features::{ATTACK_FEATURES, FEATURES};
use crate::eval::piece_square;
use crate::files;
use std::io;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use thiserror::Error;

/// The version of the file format.
const VERSION: u32 = 2;
/// Number of features, hidden neurons, attack features, neurons that these reach, and output buckets.
const SHAPE: [u32; 5] =
    [FEATURES as u32, HIDDEN as u32, ATTACK_FEATURES as u32, ATTACK_HIDDEN as u32, OUTPUT_BUCKETS as u32];
/// Bytes of magic, version, shape, checksum of the piece-square tables, checksum of the rest, and length of the
/// description.
const HEAD: usize = 8 + 4 + 20 + 4 + 4 + 4;
/// Bytes of the weights.
const WEIGHTS: usize =
    2 * (HIDDEN * (FEATURES + 1 + 2 * OUTPUT_BUCKETS) + ATTACK_HIDDEN * ATTACK_FEATURES) + 4 * OUTPUT_BUCKETS;
/// Greatest length of a description, in bytes.
const MAX_DESCRIPTION_BYTES: usize = 1 << 16;

/// Why a network file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// Reading failed, with the message of the operating system.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// The magic bytes are missing.
    #[error("not a network of ChuHe")]
    Magic,
    /// Another version of the format.
    #[error("a network of format {0}, not {VERSION}")]
    Version(u32),
    /// Other numbers of features, neurons or output buckets.
    #[error("the network's shape is {0:?}, not {SHAPE:?}")]
    Shape([u32; 5]),
    /// Trained with other piece-square tables.
    #[error("the network was trained with other piece-square tables")]
    PieceSquare,
    /// The file is too short or too long: its length and the expected one.
    #[error("the network has {0} bytes, not {1}")]
    Length(usize, usize),
    /// The checksum is wrong.
    #[error("the network is damaged: its checksum is wrong")]
    Checksum,
    /// The description is not UTF-8.
    #[error("the network's description is not UTF-8")]
    Text,
    /// Weights so large that sums could overflow.
    #[error("the network's weights are too large")]
    Weights,
}

impl Network {
    /// How a file of a network begins.
    pub const MAGIC: &[u8; 8] = b"ChuHeNet";

    /// The network compiled into the engine.
    pub fn built_in() -> Arc<Network> {
        static BUILT_IN: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let bytes = include_bytes!("chuhe.net");
            Arc::new(Network::read(bytes).expect("invariant: a test reads the built-in network"))
        });
        Arc::clone(&BUILT_IN)
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    /// When the file cannot be read or is not a usable network.
    pub fn open(path: &Path) -> Result<Arc<Network>, NetworkError> {
        let unreadable = |error: io::Error| NetworkError::Unreadable(error.to_string());
        let max_length = (HEAD + MAX_DESCRIPTION_BYTES + WEIGHTS) as u64;
        let bytes = files::read(path, max_length).map_err(unreadable)?;
        Network::read(&bytes).map(Arc::new)
    }

    /// The network as a file: magic; version, shape (five numbers), checksum of the piece-square tables it was trained
    /// with, CRC-32 of everything after it, length of the description, four bytes each; description; weights in the order
    /// of the fields of [`Network`], two bytes each, output biases four. Little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut rest = Vec::with_capacity(WEIGHTS + 256);
        rest.extend((self.description.len() as u32).to_le_bytes());
        rest.extend(self.description.as_bytes());
        let outputs = self.output_weights.as_flattened().iter().flat_map(|vector| vector.0);
        let features = self.feature_weights.iter().chain([&self.feature_bias]).flat_map(|vector| vector.0);
        let attacks = self.attack_weights.iter().flat_map(|vector| vector.0);
        rest.extend(features.chain(attacks).chain(outputs).flat_map(i16::to_le_bytes));
        rest.extend(self.output_bias.into_iter().flat_map(i32::to_le_bytes));
        let words = [VERSION].into_iter().chain(SHAPE).chain([piece_square::checksum(), crc32fast::hash(&rest)]);
        let mut bytes = Network::MAGIC.to_vec();
        bytes.extend(words.flat_map(u32::to_le_bytes));
        bytes.extend(rest);
        bytes
    }

    /// CRC-32 of the file, which identifies a network.
    pub fn checksum(&self) -> u32 {
        crc32fast::hash(&self.to_bytes())
    }

    /// Reads a network written by [`Network::to_bytes`].
    ///
    /// # Errors
    /// When the bytes are not a usable network.
    pub fn read(bytes: &[u8]) -> Result<Network, NetworkError> {
        if !bytes.starts_with(Network::MAGIC) {
            return Err(NetworkError::Magic);
        }
        let (words, _) = bytes[Network::MAGIC.len()..].as_chunks::<4>();
        let word = |index: usize| {
            let word = words.get(index).ok_or(NetworkError::Length(bytes.len(), HEAD + WEIGHTS))?;
            Ok(u32::from_le_bytes(*word))
        };
        if word(0)? != VERSION {
            return Err(NetworkError::Version(word(0)?));
        }
        let shape = [word(1)?, word(2)?, word(3)?, word(4)?, word(5)?];
        if shape != SHAPE {
            return Err(NetworkError::Shape(shape));
        }
        let length = HEAD.saturating_add(word(8)? as usize).saturating_add(WEIGHTS);
        if bytes.len() != length {
            return Err(NetworkError::Length(bytes.len(), length));
        }
        if word(7)? != crc32fast::hash(&bytes[HEAD - 4..]) {
            return Err(NetworkError::Checksum);
        }
        if word(6)? != piece_square::checksum() {
            return Err(NetworkError::PieceSquare);
        }
        let (description, weights) = bytes[HEAD..].split_at(length - HEAD - WEIGHTS);
        let description = str::from_utf8(description).map_err(|_| NetworkError::Text)?.to_string();
        let (small, large) = weights.split_at(WEIGHTS - 4 * OUTPUT_BUCKETS);
        let (mut small, _) = small.as_chunks::<2>();
        let (biases, _) = large.as_chunks::<4>();
        let network = Network {
            description,
            // In the order of the file.
            feature_weights: (0..FEATURES).map(|_| Vector(take(&mut small))).collect(),
            feature_bias: Vector(take(&mut small)),
            attack_weights: (0..ATTACK_FEATURES).map(|_| AttackVector(take(&mut small))).collect(),
            output_weights: Box::new(std::array::from_fn(|_| [0, 1].map(|_| Vector(take(&mut small))))),
            output_bias: std::array::from_fn(|bucket| i32::from_le_bytes(biases[bucket])),
        };
        if network.cannot_overflow() { Ok(network) } else { Err(NetworkError::Weights) }
    }
}

/// The next `N` weights.
fn take<const N: usize>(weights: &mut &[[u8; 2]]) -> [i16; N] {
    let (taken, rest) = weights.split_first_chunk().expect("invariant: the length was checked");
    *weights = rest;
    taken.map(i16::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::super::quantised::tests::random_network;
    use super::*;

    #[test]
    fn files_round_trip_and_damage_is_detected() {
        let network = random_network(2);
        let bytes = network.to_bytes();
        assert_eq!(Network::read(&bytes).as_ref(), Ok(&network));
        for index in (0..200).chain((200..bytes.len()).step_by(10_007)) {
            let mut changed = bytes.clone();
            changed[index] ^= 0x20;
            assert!(Network::read(&changed).is_err(), "byte {index}");
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
            let mut network = random_network(3);
            change(&mut network);
            Network::read(&network.to_bytes()) == Err(NetworkError::Weights)
        };
        assert!(refused(|network| network.feature_weights[7].0[9] = 1_000));
        assert!(refused(|network| network.attack_weights[7].0[9] = -1_000));
        assert!(refused(|network| network.output_weights[7] = [Vector([57; HIDDEN]), Vector([-200; HIDDEN])]));
        assert!(refused(|network| network.output_bias[2] = i32::MIN));
    }

    #[test]
    fn incompatible_files_are_refused_with_the_reason() {
        let network = Network { description: "a test".to_string(), ..random_network(4) };
        let refused = |change: fn(&mut [u8])| {
            let mut bytes = network.to_bytes();
            change(&mut bytes);
            let sum = crc32fast::hash(&bytes[HEAD - 4..]);
            bytes[HEAD - 8..HEAD - 4].copy_from_slice(&sum.to_le_bytes());
            Network::read(&bytes).unwrap_err()
        };
        assert_eq!(refused(|bytes| bytes[8] = 1), NetworkError::Version(1));
        let [features, hidden, rest @ ..] = SHAPE;
        assert_eq!(
            refused(|bytes| bytes[16] = 1),
            NetworkError::Shape([features, hidden + 1, rest[0], rest[1], rest[2]])
        );
        assert_eq!(refused(|bytes| bytes[32] ^= 1), NetworkError::PieceSquare);
        assert_eq!(refused(|bytes| bytes[HEAD] = 0xff), NetworkError::Text);
    }

    #[test]
    fn devices_directories_and_missing_files_are_refused() {
        for path in ["/dev/zero", "src", "src/no.net"] {
            assert!(Network::open(Path::new(path)).is_err(), "{path}");
        }
    }

    #[test]
    fn the_built_in_network_is_usable() {
        assert!(!Network::built_in().description.is_empty());
    }
}
