//! A naive implementation of the rules of xiangqi: the independent oracle of the tests. Simple and slow.

#![allow(dead_code, reason = "each test uses its part")]

/// A board of FEN letters, `[rank][file]`; rank 0 is Red's back rank, `.` an empty square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    pub pieces: [[char; 9]; 10],
    pub red_to_move: bool,
    /// Whether the promotion variant is played.
    pub promotes: bool,
}

/// A move: from (file, rank) to (file, rank).
pub type Step = ((usize, usize), (usize, usize));

impl Board {
    pub fn from_fen(fen: &str) -> Board {
        let mut pieces = [['.'; 9]; 10];
        let mut fields = fen.split_whitespace();
        for (row, text) in fields.next().unwrap().split('/').enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                match letter.to_digit(10) {
                    Some(digit) => file += digit as usize,
                    None => {
                        pieces[9 - row][file] = letter;
                        file += 1;
                    }
                }
            }
        }
        Board { pieces, red_to_move: fields.next() != Some("b"), promotes: false }
    }

    fn is_red(piece: char) -> bool {
        piece.is_ascii_uppercase()
    }

    fn at(&self, file: i32, rank: i32) -> Option<char> {
        ((0..9).contains(&file) && (0..10).contains(&rank)).then(|| self.pieces[rank as usize][file as usize])
    }

    /// The squares that the piece on a square attacks or can move to, the safety of its king not considered.
    pub fn reach(&self, file: usize, rank: usize) -> Vec<(usize, usize)> {
        let piece = self.pieces[rank][file];
        let red = Board::is_red(piece);
        let (f, r) = (file as i32, rank as i32);
        let mut found = Vec::new();
        let mut add = |df: i32, dr: i32, allowed: bool| {
            let target = self.at(f + df, r + dr).filter(|&other| other == '.' || Board::is_red(other) != red);
            if allowed && target.is_some() {
                found.push(((f + df) as usize, (r + dr) as usize));
            }
        };
        let home = |r: i32| (r < 5) == red;
        let palace = |f: i32, r: i32| (3..=5).contains(&f) && !(3..=6).contains(&r) && home(r);
        let empty = |df: i32, dr: i32| self.at(f + df, r + dr) == Some('.');
        match piece.to_ascii_lowercase() {
            'k' => [(0, 1), (0, -1), (1, 0), (-1, 0)].into_iter().for_each(|(x, y)| add(x, y, palace(f + x, r + y))),
            'a' => [(1, 1), (1, -1), (-1, 1), (-1, -1)].into_iter().for_each(|(x, y)| add(x, y, palace(f + x, r + y))),
            'b' => [(1, 1), (1, -1), (-1, 1), (-1, -1)]
                .into_iter()
                .for_each(|(x, y)| add(2 * x, 2 * y, empty(x, y) && home(r + 2 * y))),
            'n' => [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
                .into_iter()
                .for_each(|(x, y)| add(x, y, empty(x / 2, y / 2))),
            'p' => {
                add(0, if red { 1 } else { -1 }, true);
                let has_crossed_river = if red { r >= 5 } else { r <= 4 };
                add(1, 0, has_crossed_river);
                add(-1, 0, has_crossed_river);
            }
            'r' | 'c' => {
                for (x, y) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                    let mut pieces_passed = 0;
                    let mut n = 1;
                    while let Some(piece_there) = self.at(f + n * x, r + n * y) {
                        if piece_there != '.' {
                            pieces_passed += 1;
                            add(n * x, n * y, pieces_passed == if piece.eq_ignore_ascii_case(&'r') { 1 } else { 2 });
                        } else {
                            add(n * x, n * y, pieces_passed == 0);
                        }
                        n += 1;
                    }
                }
            }
            _ => {}
        }
        found
    }

    fn squares() -> impl Iterator<Item = (usize, usize)> {
        (0..10).flat_map(|rank| (0..9).map(move |file| (file, rank)))
    }

    /// Whether the king of one side is attacked, or faces the other king.
    pub fn is_attacked(&self, red_king: bool) -> bool {
        let find = |letter| Board::squares().find(|&(f, r)| self.pieces[r][f] == letter);
        let (Some(red), Some(black)) = (find('K'), find('k')) else { return true };
        if red.0 == black.0 && (red.1 + 1..black.1).all(|rank| self.pieces[rank][red.0] == '.') {
            return true;
        }
        let king = if red_king { red } else { black };
        Board::squares().any(|(f, r)| {
            let piece = self.pieces[r][f];
            piece != '.' && Board::is_red(piece) != red_king && self.reach(f, r).contains(&king)
        })
    }

    pub fn after(&self, ((f, r), (tf, tr)): Step) -> Board {
        let mut board = self.clone();
        board.pieces[r][f] = '.';
        board.pieces[tr][tf] = match self.pieces[r][f] {
            _ if (f, r) == (tf, tr) && self.red_to_move => 'P',
            _ if (f, r) == (tf, tr) => 'p',
            piece => piece,
        };
        board.red_to_move = !board.red_to_move;
        board
    }

    pub fn pseudo_legal(&self) -> Vec<Step> {
        Board::squares()
            .filter(|&(f, r)| self.pieces[r][f] != '.' && Board::is_red(self.pieces[r][f]) == self.red_to_move)
            .flat_map(|(f, r)| self.reach(f, r).into_iter().map(move |to| ((f, r), to)))
            .collect()
    }

    pub fn legal(&self) -> Vec<Step> {
        let steps = self.pseudo_legal().into_iter().chain(self.promotions());
        steps.filter(|&step| !self.after(step).is_attacked(self.red_to_move)).collect()
    }

    /// Promotions of advisors and bishops on the back rank to pawns, in the promotion variant.
    fn promotions(&self) -> Vec<Step> {
        let [pawn, advisor, bishop] = if self.red_to_move { ['P', 'A', 'B'] } else { ['p', 'a', 'b'] };
        let pawns = self.pieces.iter().flatten().filter(|&&piece| piece == pawn).count();
        let rank = if self.red_to_move { 0 } else { 9 };
        if !self.promotes || pawns >= 5 || self.is_attacked(self.red_to_move) {
            return Vec::new();
        }
        let files = (0..9).filter(|&file| [advisor, bishop].contains(&self.pieces[rank][file]));
        files.map(|file| ((file, rank), (file, rank))).collect()
    }

    /// Perft: the number of sequences of `depth` legal moves.
    pub fn perft(&self, depth: usize) -> u64 {
        match depth {
            0 => 1,
            1 => self.legal().len() as u64,
            _ => self.legal().into_iter().map(|step| self.after(step).perft(depth - 1)).sum(),
        }
    }
}

/// The move in ICCS coordinates.
pub fn iccs(((f, r), (tf, tr)): Step) -> String {
    format!("{}{r}{}{tr}", (b'a' + f as u8) as char, (b'a' + tf as u8) as char)
}

/// A small deterministic random number generator (xorshift64*).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }
}

pub mod chinese;

/// A naive implementation of the league's rule of repetition.
pub mod league {
    use super::{Board, Step};

    /// A violation: perpetual check, or the perpetual chase of one piece.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Violation {
        None,
        Chase,
        Check,
    }

    /// The violations of Red and of Black in `steps`, a cycle from `start`.
    pub fn violations(start: &Board, steps: &[Step]) -> [Violation; 2] {
        let mut board = start.clone();
        // A number for the piece on each square; it moves with the piece.
        let mut numbers: [[usize; 9]; 10] = std::array::from_fn(|rank| std::array::from_fn(|file| 9 * rank + file));
        let (mut checks, mut chases) = ([true; 2], [vec![true; 90], vec![true; 90]]);
        for &step in steps {
            let (mover, (from, to)) = (!board.red_to_move as usize, step);
            numbers[to.1][to.0] = numbers[from.1][from.0];
            board = board.after(step);
            let is_check = board.is_attacked(board.red_to_move);
            let chased = if is_check { Vec::new() } else { chased(&board, step) };
            let chased: Vec<usize> = chased.into_iter().map(|(f, r)| numbers[r][f]).collect();
            checks[mover] &= is_check;
            chases[mover].iter_mut().enumerate().for_each(|(number, always)| *always &= chased.contains(&number));
        }
        [0, 1].map(|side| match (checks[side], chases[side].contains(&true)) {
            (true, _) => Violation::Check,
            (_, true) => Violation::Chase,
            _ => Violation::None,
        })
    }

    /// The squares of the pieces chased by the piece that has just moved from `from` to `to`.
    fn chased(board: &Board, (from, to): Step) -> Vec<(usize, usize)> {
        let piece = board.pieces[to.1][to.0].to_ascii_lowercase();
        let targets = board.reach(to.0, to.1).into_iter().filter(|&(f, r)| {
            let is_ahead = from.0 == to.0 && f == to.0 || from.1 == to.1 && r == to.1;
            match (piece, board.pieces[r][f].to_ascii_lowercase()) {
                (_, '.') => false,
                ('n', 'r') => true,
                ('c', 'r') => !is_ahead,
                ('n', 'c') => !is_protected(board, (f, r)),
                ('c', 'n') | ('r', 'n' | 'c') => !is_ahead && !is_protected(board, (f, r)),
                ('r' | 'n' | 'c', 'p') => {
                    let is_over = if board.pieces[r][f] == 'P' { r >= 5 } else { r < 5 };
                    is_over && !(is_ahead && piece != 'n') && !is_protected(board, (f, r))
                }
                _ => false,
            }
        });
        targets.collect()
    }

    /// Whether a piece of the same side protects the piece on `(f, r)`.
    fn is_protected(board: &Board, (f, r): (usize, usize)) -> bool {
        let mut taken = board.clone();
        let is_red = Board::is_red(board.pieces[r][f]);
        taken.pieces[r][f] = if is_red { 'p' } else { 'P' };
        Board::squares().any(|(file, rank)| {
            let piece = taken.pieces[rank][file];
            piece != '.' && Board::is_red(piece) == is_red && taken.reach(file, rank).contains(&(f, r))
        })
    }
}
