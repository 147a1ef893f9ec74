//! A naive implementation of the Chinese Xiangqi Association's rules of repetition (2020): each move of a cycle has a class,
//! found by brute-force searches of captures and checks to a small depth, and the classes of the cycle give the verdict.

use super::{Board, Step};

/// The class of a move, in ascending order of severity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    Idle,
    /// A chase of a protected piece by several pieces together: lighter than the other chases.
    LightChase,
    Chase,
    Kill,
    Check,
}

/// Checks in a row that a threat of mate may take.
const KILL_CHECKS: usize = 8;
/// Checks in a row before a capture.
const CHAIN_CHECKS: usize = 2;
/// Checks in a row with which the other side may answer a capture by mate.
const ANSWER_CHECKS: usize = 4;
/// Captures searched on all squares after the first; further ones on the square of the last only.
const CAPTURES: usize = 5;
/// The balance when a side is mated.
const MATE: i32 = 1000;
/// The window of alpha and beta that leaves nothing out.
const WHOLE: [i32; 2] = [-MATE, MATE];

/// Captured material: twice the value of a minor piece (advisor, bishop) is that of a knight or cannon.
#[derive(Clone, Copy, Default)]
struct Balance {
    pieces: i32,
    /// Crossed pawns: as little as a minor piece when won, as much as a knight when lost.
    pawns: i32,
    /// The other way round.
    is_generous: bool,
}

impl Balance {
    fn value(self) -> i32 {
        2 * self.pieces + if (self.pawns > 0) != self.is_generous { 2 } else { 4 } * self.pawns
    }

    /// After the move `step`, which may capture.
    fn after(mut self, board: &Board, (_, (f, r)): Step, us: bool) -> Balance {
        let piece = board.pieces[r][f];
        let sign = if board.red_to_move == us { 1 } else { -1 };
        match piece.to_ascii_lowercase() {
            'p' if (r >= 5) == Board::is_red(piece) => self.pawns += sign,
            'p' | '.' => {}
            other => self.pieces += sign * worth(other),
        }
        self
    }
}

/// The value of a piece other than a pawn, in minor pieces.
fn worth(piece: char) -> i32 {
    match piece.to_ascii_lowercase() {
        'r' => 4,
        'n' | 'c' => 2,
        'a' | 'b' => 1,
        _ => 0,
    }
}

fn passed(board: &Board) -> Board {
    Board { red_to_move: !board.red_to_move, ..board.clone() }
}

fn is_legal(board: &Board, step: Step) -> bool {
    !board.after(step).is_attacked(board.red_to_move)
}

fn in_check(board: &Board) -> bool {
    board.is_attacked(board.red_to_move)
}

/// The legal captures, of the most valuable pieces first.
fn captures(board: &Board) -> Vec<Step> {
    let mut steps = board.pseudo_legal();
    steps.retain(|&step| board.pieces[step.1.1][step.1.0] != '.' && is_legal(board, step));
    steps.sort_by_key(|step| -worth(board.pieces[step.1.1][step.1.0]));
    steps
}

fn checks(board: &Board) -> Vec<Step> {
    let mut steps = board.pseudo_legal();
    steps.retain(|&step| in_check(&board.after(step)) && is_legal(board, step));
    steps
}

/// Whether a capture is an exchange: the piece attacked, of the same value, could as well take the attacker and not lose by
/// the checks that follow.
fn is_exchange(board: &Board, (from, to): Step) -> bool {
    let at = |(f, r): (usize, usize)| board.pieces[r][f];
    let (passed, back) = (passed(board), (to, from));
    at(to) != '.'
        && worth(at(from)) == worth(at(to))
        && board.reach(to.0, to.1).contains(&from)
        && is_legal(&passed, back)
        && chain(&passed.after(back), Balance::default().after(&passed, back, board.red_to_move), 1, &[]) <= 0
}

/// Whether the side to move mates by at most `count` checks in a row, without the moves `but`.
fn kills(board: &Board, count: usize, but: &[Step]) -> bool {
    count > 0
        && checks(board).into_iter().filter(|check| !but.contains(check)).any(|check| {
            let checked = board.after(check);
            checked.legal().into_iter().all(|reply| kills(&checked.after(reply), count - 1, but))
        })
}

/// Whether a capture can be answered by a capture on the same square.
fn is_protected(board: &Board, step: Step) -> bool {
    captures(&board.after(step)).iter().any(|take| take.1 == step.1)
}

/// The exchanges that the side to move could make.
fn exchanges(board: &Board) -> Vec<Step> {
    captures(board).into_iter().filter(|&step| is_exchange(board, step)).collect()
}

/// Whether the side to move mates by checks in a row without the exchanges on the board.
fn threatens_mate(board: &Board) -> bool {
    kills(board, KILL_CHECKS, &exchanges(board))
}

/// The balance after captures on one square, each side free to stop.
fn exchange(board: &Board, square: (usize, usize), us: bool, balance: Balance) -> i32 {
    let steps = captures(board).into_iter().filter(|step| step.1 == square);
    let values = steps.map(|step| exchange(&board.after(step), square, us, balance.after(board, step, us)));
    best(board.red_to_move == us, balance.value(), values)
}

fn best(is_ours: bool, quiet: i32, values: impl Iterator<Item = i32>) -> i32 {
    if is_ours { values.fold(quiet, i32::max) } else { values.fold(quiet, i32::min) }
}

/// The balance after captures on all squares, each side free to stop, with alpha and beta from `us`'s point of view.
fn quiesce(
    board: &Board,
    us: bool,
    balance: Balance,
    depth: usize,
    last: (usize, usize),
    but: &[Step],
    [mut alpha, mut beta]: [i32; 2],
) -> i32 {
    let ours = board.red_to_move == us;
    if in_check(board) && board.legal().is_empty() {
        return if ours { -MATE } else { MATE };
    }
    if depth == 0 {
        return exchange(board, last, us, balance);
    }
    let mut value = balance.value();
    for step in captures(board).into_iter().filter(|step| !ours || !but.contains(step)) {
        if ours {
            alpha = alpha.max(value)
        } else {
            beta = beta.min(value)
        }
        if alpha >= beta {
            break;
        }
        let next =
            quiesce(&board.after(step), us, balance.after(board, step, us), depth - 1, step.1, but, [alpha, beta]);
        value = if ours { value.max(next) } else { value.min(next) };
    }
    value
}

/// What the side to move wins by checks in a row and a capture after them, without the moves `but`.
fn chain(board: &Board, balance: Balance, count: usize, but: &[Step]) -> i32 {
    let us = board.red_to_move;
    let mut found = i32::MIN;
    for check in checks(board)
        .into_iter()
        .filter(|check| !but.contains(check) || count == CHAIN_CHECKS && is_protected(board, *check))
    {
        let balance = balance.after(board, check, us);
        let checked = board.after(check);
        let mut value = MATE;
        for reply in checked.legal() {
            let (next, balance) = (checked.after(reply), balance.after(&checked, reply, us));
            let takes = captures(&next).into_iter().filter(|&take| {
                !but.contains(&take)
                    && !is_by_king_or_pawn(&next, take)
                    && !kills(&next.after(take), ANSWER_CHECKS, &[])
            });
            let mut here = takes.fold(-MATE, |most, capture| {
                let (taken, balance) = (next.after(capture), balance.after(&next, capture, us));
                most.max(quiesce(&taken, us, balance, CAPTURES - 1, capture.1, but, WHOLE))
            });
            if here <= 0 && count > 1 {
                here = here.max(chain(&next, balance, count - 1, but));
            }
            value = value.min(here);
            if value <= 0 {
                break;
            }
        }
        found = found.max(value);
    }
    found
}

/// What the side to move can win by a first capture.
struct Gain {
    by: (usize, usize),
    of: (usize, usize),
    value: i32,
    /// The balance after captures on all squares.
    whole: i32,
    /// Whether the piece is protected and no rook is won.
    is_light: bool,
}

fn is_by_king_or_pawn(board: &Board, ((f, r), _): Step) -> bool {
    "kp".contains(board.pieces[r][f].to_ascii_lowercase())
}

/// The gain by a capture that counts as a chase. `own` is what others win.
fn gain(board: &Board, step: Step, but: &[Step], own: i32) -> Option<Gain> {
    let us = board.red_to_move;
    let (by, of) = step;
    if is_by_king_or_pawn(board, step) {
        return None;
    }
    let balance = Balance::default().after(board, step, us);
    let after = board.after(step);
    let local = exchange(&after, of, us, balance);
    if local > 0 && but.contains(&step) {
        return None;
    }
    let whole = |is_generous| quiesce(&after, us, Balance { is_generous, ..balance }, CAPTURES, of, but, WHOLE);
    let on_all = whole(false);
    let mut value = on_all;
    if value <= own {
        value = 0;
    }
    if local > value && whole(true) >= 0 {
        value = local;
    }
    if value <= 0 || kills(&after, ANSWER_CHECKS, &[]) {
        return None;
    }
    let is_light = value <= 4 && is_protected(board, step) && worth(board.pieces[of.1][of.0]) < 4;
    Some(Gain { by, of, value, whole: on_all, is_light })
}

/// What the side to move could win of each piece.
fn gains(board: &Board) -> Vec<Gain> {
    let but = exchanges(board);
    let takes = captures(board);
    let us = board.red_to_move;
    // What the captures win that are no chase, or win on their own square.
    let alone = takes.iter().map(|&step| {
        let (after, balance) = (board.after(step), Balance::default().after(board, step, us));
        let is_alone =
            is_by_king_or_pawn(board, step) || exchange(&after, step.1, us, balance) > 0 && !but.contains(&step);
        (step.1, if is_alone { quiesce(&after, us, balance, CAPTURES, step.1, &but, WHOLE) } else { 0 })
    });
    let alone: Vec<((usize, usize), i32)> = alone.collect();
    let others = |step: Step| {
        let others = alone.iter().filter(|other| other.0 != step.1);
        others.map(|other| other.1).max().unwrap_or(0)
    };
    takes.iter().filter_map(|&step| gain(board, step, &but, others(step))).collect()
}

/// The class of a move from `before`; `earlier` is the position before the other side's last move.
pub fn class(earlier: Option<&Board>, before: &Board, step: Step) -> Class {
    let after = before.after(step);
    if in_check(&after) {
        return Class::Check;
    }
    let next = passed(&after);
    let was_checked = in_check(before);
    if was_checked && before.pieces[step.0.1][step.0.0].eq_ignore_ascii_case(&'k') {
        return Class::Idle;
    }
    if threatens_mate(&next) {
        return Class::Kill;
    }
    let mut old = gains(before);
    if let Some(earlier) = earlier.filter(|_| was_checked) {
        old.extend(gains(&passed(earlier)));
    }
    let is_new = |gain: &Gain| {
        !old.iter().any(|other| other.of == gain.of && other.value >= gain.value && other.whole >= gain.whole)
    };
    // A piece whose protectors cannot take back because of the moved piece is taken by both together.
    let is_joint = |gain: &Gain| {
        let mut without = next.clone();
        without.pieces[step.1.1][step.1.0] = '.';
        gain.value <= 4
            && gain.by != step.1
            && next.after((gain.by, gain.of)).pseudo_legal().iter().any(|take| take.1 == gain.of)
            && !gains(&without).iter().any(|other| other.of == gain.of && other.value >= gain.value)
    };
    let new = gains(&next).into_iter().filter(is_new);
    let found = new.map(|gain| if gain.is_light || is_joint(&gain) { Class::LightChase } else { Class::Chase }).max();
    found.unwrap_or_else(|| {
        let wins = |board: &Board| chain(board, Balance::default(), CHAIN_CHECKS, &exchanges(board));
        let most = wins(&next);
        let is_new = most > 0
            && most > wins(before)
            && most > quiesce(before, before.red_to_move, Balance::default(), CAPTURES, step.1, &[], WHOLE);
        if is_new { Class::Chase } else { Class::Idle }
    })
}

/// The class of each move of `steps` from `start`.
pub fn classes(start: &Board, steps: &[Step]) -> Vec<Class> {
    let mut boards = vec![start.clone()];
    steps.iter().for_each(|&step| boards.push(boards.last().unwrap().after(step)));
    // In a cycle the last move comes before the first.
    let is_cycle = boards.last() == boards.first();
    let earlier = |n: usize| if n > 0 { boards.get(n - 1) } else { is_cycle.then(|| &boards[steps.len() - 1]) };
    steps.iter().enumerate().map(|(n, &step)| class(earlier(n), &boards[n], step)).collect()
}

/// Whether Red (`true`) or Black loses by a cycle whose moves have these classes, the first one Red's if `red_first`.
pub fn loser(red_first: bool, classes: &[Class]) -> Option<bool> {
    let of = |red: bool| classes.iter().skip((red != red_first) as usize).step_by(2);
    let either = |one: &dyn Fn(bool) -> bool| match (one(true), one(false)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    };
    let is_light = |red: bool| of(red).any(|&class| class == Class::LightChase);
    let attacks = |red: bool| of(red).all(|&class| class != Class::Idle);
    either(&|red| of(red).all(|&class| class == Class::Check)).or_else(|| either(&attacks)).or_else(|| {
        // Both attack on every move: the side with only heavy chases loses.
        if attacks(true) && attacks(false) { either(&|red| !is_light(red)) } else { None }
    })
}
