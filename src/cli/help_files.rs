//! `chuhe completions` and `chuhe manual`: files for shells and man, made from the declaration of the command line. The
//! examples of the commands, which the help has too.

use super::error::{ExitStatus, Failure, IoContext};
use super::save::save;
use crate::display::language::Language;
use crate::engine::options::DECLARATIONS;
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, roman};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// The section of the manual: games.
const SECTION: &str = "6";
/// The exit statuses of all commands.
const EXIT_STATUSES: [(&str, &str, &str); 4] = [
    ("0", "success", "成功"),
    ("1", "a check failed, or some of the input could not be read", "检查未通过，或部分输入无法读取"),
    ("2", "an error, which is printed", "出错，错误信息已输出"),
    ("101", "an error of the program itself", "程序自身的错误"),
];
/// Examples by command.
const EXAMPLES: &[(&str, &[&str])] = &[
    ("chuhe", &["chuhe", "chuhe play", "chuhe review game.pgn --html game.html"]),
    ("chuhe ucci", &["chuhe ucci --option hashsize=256"]),
    ("chuhe uci", &["chuhe uci --option Hash=256 --log-file chuhe.log"]),
    ("chuhe bench", &["chuhe bench", "chuhe bench 12"]),
    ("chuhe play", &["chuhe play --level 3", "chuhe play --side black --time 10+5", "chuhe play game.xqf"]),
    ("chuhe perft", &["chuhe perft 4 --divide", "chuhe perft 3 --suite tests/data/perft.txt"]),
    (
        "chuhe analyse",
        &[
            "chuhe analyse startpos moves h2e2 --time 5000 --multipv 3",
            "chuhe analyse game.pgn --last --notation chinese",
            "chuhe analyse --nodes 1000 --threads 0 --output answers.json --resume all.fen",
            "chuhe analyse --score suite.epd --time 1000 --require 80",
        ],
    ),
    (
        "chuhe solve",
        &[
            "chuhe solve 3k5/9/9/2p6/9/4N4/9/9/9/4K4 w",
            "chuhe solve --all --mate 3 problem.xqf",
            "chuhe solve --threads 0 --output solutions.json --resume problems.fen",
        ],
    ),
    ("chuhe eval", &["chuhe eval startpos moves h2e2", "chuhe eval game.pgn --last --json"]),
    (
        "chuhe review",
        &[
            "chuhe review game.pgn --html game.html",
            "chuhe review *.xqf --time 500 --threads 0 --pgn annotated.pgn",
            "chuhe review game.pgn --exercises --side red",
            "chuhe review games --recursive --sheet exercises.html --least blunder",
            "chuhe review games --report Hu --sheet hu.html",
        ],
    ),
    (
        "chuhe find",
        &[
            "chuhe find games --player Hu --result red --output hu.pgn",
            "chuhe find games.pgn --moves 'h2e2 h9g7' --tree=3",
            "chuhe find games.pgn --material KRNkrn+ --html endings.html",
        ],
    ),
    (
        "chuhe convert",
        &[
            "chuhe convert library.cbl games.pgn",
            "chuhe convert game.pgn game.xqf",
            "chuhe convert games --recursive --unique --sort Date all.pgn",
        ],
    ),
    (
        "chuhe board",
        &[
            "chuhe board startpos moves h2e2 --arrow h9g7 --png board.png",
            "chuhe board games.pgn --game 5 --ply 23 --png d.png",
            "chuhe board games.pgn --game 5 --plies 10,20,35 --html sheet.html",
        ],
    ),
    ("chuhe judge", &["chuhe judge games.pgn", "chuhe judge startpos moves h2e2 h9g7 --repetition chinese"]),
    ("chuhe cloud", &["chuhe cloud startpos moves h2e2"]),
    (
        "chuhe match",
        &[
            "chuhe match --engine option.level=8 --engine option.level=9 --rounds 50",
            "chuhe match --engine cmd=./a --engine cmd=./b --each tc=10+0.1 --rounds 100 --pgnout games.pgn",
        ],
    ),
    ("chuhe book build", &["chuhe book build games.pgn --output book.obk"]),
    ("chuhe book grow", &["chuhe book grow --positions 500 --output book.dat"]),
    (
        "chuhe book show",
        &[
            "chuhe book show startpos --plies 3",
            "chuhe book show book.obk",
            "chuhe book show games.pgn startpos moves h2e2",
        ],
    ),
    ("chuhe book edit", &["chuhe book edit book.dat startpos --set h2e2=500 --set e0e1=0"]),
    ("chuhe book stats", &["chuhe book stats book.dat"]),
    ("chuhe book verify", &["chuhe book verify book.dat"]),
    ("chuhe book merge", &["chuhe book merge a.obk b.dat --output c.dat"]),
    ("chuhe book export", &["chuhe book export book.dat > book.txt"]),
    ("chuhe book import", &["chuhe book import book.txt --output book.dat"]),
    ("chuhe egtb build", &["chuhe egtb build KRNkaab KPPkbb", "chuhe egtb build --set medium"]),
    ("chuhe egtb probe", &["chuhe egtb probe '4kab2/4a4/8b/9/9/9/9/9/9/4K1R2 w'"]),
    ("chuhe completions", &["chuhe completions bash > ~/.chuhe.bash"]),
    ("chuhe manual", &["chuhe manual ~/.local/share/man/man6"]),
];

/// The examples of a command, whose name begins with `chuhe`.
fn examples(name: &str) -> &'static [&'static str] {
    EXAMPLES.iter().find(|(of, _)| *of == name).map_or(&[], |(_, examples)| examples)
}

/// The command with its examples, below this heading, at the end of the help.
pub(super) fn with_examples(command: Command, heading: &str) -> Command {
    let name = command.get_name().to_string();
    add_examples(command, &name, heading)
}

fn add_examples(command: Command, name: &str, heading: &str) -> Command {
    let lines: String = examples(name).iter().map(|line| format!("\n  {line}")).collect();
    let command = if lines.is_empty() { command } else { command.after_help(format!("{heading}:{lines}")) };
    command.mut_subcommands(|below| {
        let name = format!("{name} {}", below.get_name());
        add_examples(below, &name, heading)
    })
}

/// Prints the completions of a shell.
pub(super) fn completions(shell: Shell, mut command: Command) -> Result<ExitStatus, Failure> {
    let name = command.get_name().to_string();
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut text);
    io::stdout().write_all(&text)?;
    Ok(ExitStatus::Success)
}

/// Writes a man page for the program and for each of its commands to a folder. The command is in this language.
pub(super) fn manual(folder: &Path, mut command: Command, language: Language) -> Result<ExitStatus, Failure> {
    fs::create_dir_all(folder).writing(folder)?;
    command.build();
    write_pages(folder, &command, "chuhe", language)?;
    Ok(ExitStatus::Success)
}

/// The headings of a page in Chinese.
const CHINESE_HEADINGS: [(&str, &str); 9] = [
    ("NAME", "名称"),
    ("SYNOPSIS", "用法"),
    ("DESCRIPTION", "说明"),
    ("OPTIONS", "选项"),
    ("SUBCOMMANDS", "命令"),
    ("\"OPTIONS OF THE ENGINE\"", "引擎选项"),
    ("EXAMPLES", "示例"),
    ("\"EXIT STATUS\"", "退出状态"),
    ("\"SEE ALSO\"", "另见"),
];

/// A page with its headings in Chinese.
fn with_chinese_headings(page: &str) -> String {
    let chinese = |line: &str| {
        let heading = line.strip_prefix(".SH ")?;
        let (_, chinese) = CHINESE_HEADINGS.iter().find(|(english, _)| *english == heading)?;
        Some(format!(".SH {chinese}"))
    };
    page.lines().map(|line| chinese(line).unwrap_or_else(|| line.to_string()) + "\n").collect()
}

/// Writes the pages of a built command, which is called `name`, and of those below it.
fn write_pages(folder: &Path, command: &Command, name: &str, language: Language) -> Result<(), Failure> {
    let man = Man::new(command.clone()).section(SECTION).source(concat!("ChuHe ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    let usage = command.clone().render_usage().to_string();
    let mut text = Roff::default();
    text.control("SH", ["SYNOPSIS"]).text([bold(usage.trim_start_matches("Usage: "))]);
    text.to_writer(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    ending(name, language).to_writer(&mut page)?;
    let page = match language {
        Language::English => page,
        Language::Chinese => with_chinese_headings(&String::from_utf8_lossy(&page)).into_bytes(),
    };
    save(&folder.join(format!("{}.{SECTION}", name.replace(' ', "-"))), &page)?;
    let mut shown = command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    shown.try_for_each(|command| write_pages(folder, command, &format!("{name} {}", command.get_name()), language))
}

/// The end of a page: of the program the options of the engine, then the examples and the exit statuses.
fn ending(name: &str, language: Language) -> Roff {
    let mut text = Roff::default();
    let is_program = name == "chuhe";
    if is_program {
        text.control("SH", ["OPTIONS OF THE ENGINE"]);
        text.text([roman(language.pick(
            "Set with setoption in UCCI or UCI, or with --option NAME=VALUE, by either of their names.",
            "在 UCCI 或 UCI 中用 setoption 设置，或用 --option NAME=VALUE，两种名称均可；说明为英文。",
        ))]);
        for option in DECLARATIONS {
            let names = [option.ucci, option.uci].into_iter().flatten().collect::<Vec<_>>().join(", ");
            text.control("TP", []).text([bold(names), roman(format!(": {}", option.kind))]);
            text.text([roman(option.meaning)]);
        }
    }
    if !examples(name).is_empty() {
        text.control("SH", ["EXAMPLES"]).control("nf", []);
        for &line in examples(name) {
            text.text([roman(line)]);
        }
        text.control("fi", []);
    }
    text.control("SH", ["EXIT STATUS"]);
    for (status, english, chinese) in EXIT_STATUSES {
        text.control("TP", []).text([bold(status)]).text([roman(language.pick(english, chinese))]);
    }
    if !is_program {
        let see: Vec<Inline> = vec![bold("chuhe"), roman(format!("({SECTION})"))];
        text.control("SH", ["SEE ALSO"]).text(see);
    }
    text
}
