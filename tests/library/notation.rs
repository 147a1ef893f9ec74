//! Game records as other programs write them.

use chuhe::games::{GameRecord, GameResult, encoding, games};
use chuhe::position::Position;
use chuhe::types::Color;

fn moves(game: &GameRecord) -> String {
    game.moves().iter().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

/// Five of twenty games of HoiXiangqi against itself under XBoard 4.9.1; the expected moves are those that the engine
/// sent to XBoard, from XBoard's debug file. They have pawns that move sideways (`ab5`), selectors by rank (`R7xg4`) and by
/// file, checks and mates.
#[test]
fn games_of_xboard_are_read() {
    let games: Vec<GameRecord> = games(include_str!("../data/xboard.pgn")).map(Result::unwrap).collect();
    let expected = include_str!("../data/xboard-moves.txt").lines().filter(|line| !line.starts_with('#'));
    let results = [
        GameResult::Won(Color::Black),
        GameResult::Drawn,
        GameResult::Won(Color::Red),
        GameResult::Drawn,
        GameResult::Drawn,
    ];
    assert_eq!(games.len(), results.len());
    for ((game, expected), result) in games.iter().zip(expected).zip(results) {
        assert_eq!(game.error, None);
        assert_eq!(moves(game), expected);
        assert_eq!(game.result, result);
    }
}

/// The same games with ranks from 1.
#[test]
fn san_with_ranks_from_one_is_read() {
    // Of the words, only moves end in a digit after a file.
    let mut text = String::new();
    let mut in_comment = false;
    for word in include_str!("../data/xboard.pgn").split_inclusive(char::is_whitespace) {
        in_comment |= word.starts_with(['{', '[']);
        let is_move = !in_comment && word.starts_with(|letter: char| letter.is_ascii_alphabetic());
        in_comment &= !word.trim_end().ends_with(['}', ']']);
        for letter in word.chars() {
            match letter.to_digit(10).filter(|_| is_move) {
                Some(digit) => text.push_str(&(digit + 1).to_string()),
                None => text.push(letter),
            }
        }
    }
    assert!(text.contains("R8xg5") && text.contains("10"), "{text}");
    let expected = include_str!("../data/xboard-moves.txt").lines().filter(|line| !line.starts_with('#'));
    for (game, expected) in games(&text).map(Result::unwrap).zip(expected) {
        assert_eq!(game.error, None);
        assert_eq!(moves(&game), expected);
    }
}

/// One game as a mainland program and a Taiwanese program write it (encoded by Python's `gbk` and `cp950`).
#[test]
fn games_in_gbk_and_big5_are_read() {
    for (bytes, red) in
        [(&include_bytes!("../data/game.gbk.pgn")[..], "胡荣华"), (include_bytes!("../data/game.big5.pgn"), "胡榮華")]
    {
        let text = encoding::decode(bytes);
        assert!(text.contains(&format!("[Red \"{red}\"]")), "{text}");
        let games: Vec<GameRecord> = games(&text).map(Result::unwrap).collect();
        assert_eq!((games.len(), games[0].error.clone()), (1, None), "{text}");
        assert_eq!(moves(&games[0]), "h2e2 h9g7 h0g2 i9h9 i0h0 h7h3 g3g4 b7e7 c3c4 a9a8");
        assert_eq!(games[0].result, GameResult::Drawn);
    }
}

/// cutechess writes a sideways move of a crossed pawn as its square.
#[test]
fn a_square_is_the_only_pawn_that_moves_sideways_to_it() {
    let fen = "3k5/9/9/6P2/9/9/9/9/9/4K4 w - - 0 1";
    let read =
        |fen: &str, text: &str| chuhe::notation::read(&Position::from_fen(fen).unwrap(), text).map(|mv| mv.to_string());
    assert_eq!(read(fen, "f6").as_deref(), Ok("g6f6"));
    assert_eq!(read(fen, "h6").as_deref(), Ok("g6h6"));
    assert_eq!(read(fen, "g7").as_deref(), Ok("g6g7"));
    assert_eq!(read("3k5/9/9/6P2/5P3/9/9/9/9/4K4 w - - 0 1", "f6").as_deref(), Ok("f5f6"), "straight on comes first");
    assert!(read("3k5/9/9/4P1P2/9/9/9/9/9/4K4 w - - 0 1", "f6").is_err(), "two pawns move to it");
    assert!(read("3k5/9/9/9/9/9/6P2/9/9/4K4 w - - 0 1", "f3").is_err(), "it has not crossed the river");
}
