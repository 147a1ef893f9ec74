//! The help text.

use crate::display::verdict::Language;

/// The commands: what to type, and what it does.
const ENGLISH: &[(&str, &str)] = &[
    ("h2e2, C2.5, 炮二平五", "make a move: coordinates, WXF or Chinese"),
    ("undo", "take back your last move"),
    ("hint", "show a good move"),
    ("eval", "show the evaluation and the engine's line, or hide them"),
    ("go", "let the engine play this side; while it thinks: move now"),
    ("draw, resign", "offer or accept a draw; resign"),
    ("level N", "set the engine's level, 1 to 20 (full strength)"),
    ("new", "begin a new game"),
    ("flip", "turn the board"),
    ("save FILE", "save the game: .pgn, .xqf, .cbr, .ubb or .fen"),
    ("load FILE", "load a game"),
    ("board, pieces", "show the board; list the pieces"),
    ("quit", "end; an unfinished game goes on next time"),
];

const CHINESE: &[(&str, &str)] = &[
    ("h2e2, C2.5, 炮二平五", "走棋：坐标、WXF 或中文记谱"),
    ("undo, 悔棋", "收回自己的上一着"),
    ("hint, 提示", "提示一着好棋"),
    ("eval, 评估", "显示或隐藏局面评估和引擎变例"),
    ("go, 走", "让引擎走这一方；引擎思考时：立即走"),
    ("draw, 和棋; resign, 认输", "提和或同意和棋；认输"),
    ("level N, 等级 N", "设置引擎等级，1 到 20（最强）"),
    ("new, 新局", "开始新的一局"),
    ("flip, 翻转", "翻转棋盘"),
    ("save FILE, 保存 文件", "保存棋局：.pgn、.xqf、.cbr、.ubb 或 .fen"),
    ("load FILE, 打开 文件", "打开棋局"),
    ("board, 棋盘; pieces, 棋子", "显示棋盘；列出棋子"),
    ("quit, 退出", "退出；未下完的棋下次继续"),
];

/// The commands: what to type, and what it does.
pub fn commands(language: Language) -> &'static [(&'static str, &'static str)] {
    language.pick(ENGLISH, CHINESE)
}

/// The commands, one a line.
pub fn text(language: Language) -> String {
    commands(language).iter().map(|(typed, effect)| format!("{typed}{}{effect}\n", language.colon())).collect()
}

/// The keys of the full screen, beside typed commands.
pub fn keys(language: Language) -> &'static str {
    language.pick(
        "arrows and Enter or the mouse: choose a piece, then its target; Esc: drop it; Ctrl-C: quit",
        "方向键和回车或鼠标：先选棋子，再选目标；Esc：取消；Ctrl-C：退出",
    )
}
