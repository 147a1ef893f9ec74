//! Lines that say something about a game in other formats than PGN: the headers of WXF files, and names in Chinese.

/// Headers of WXF files and the tags of PGN; the headers of players also have their ratings.
const WXF: [(&str, &str); 9] = [
    ("RED", "Red"),
    ("BLACK", "Black"),
    ("RESULT", "Result"),
    ("DATE", "Date"),
    ("EVENT", "Event"),
    ("SITE", "Site"),
    ("ROUND", "Round"),
    ("FEN", "FEN"),
    ("GAME", ""),
];
/// What stands before a colon in Chinese texts, and the tags of PGN.
const CHINESE: [(&str, &str); 24] = [
    ("红方", "Red"),
    ("紅方", "Red"),
    ("黑方", "Black"),
    ("先手", "Red"),
    ("后手", "Black"),
    ("後手", "Black"),
    ("标题", "Title"),
    ("標題", "Title"),
    ("赛事", "Event"),
    ("賽事", "Event"),
    ("比赛", "Event"),
    ("比賽", "Event"),
    ("日期", "Date"),
    ("地点", "Site"),
    ("地點", "Site"),
    ("轮次", "Round"),
    ("结果", "Result"),
    ("結果", "Result"),
    ("开局", "Opening"),
    ("布局", "Opening"),
    ("佈局", "Opening"),
    ("評論", "Annotator"),
    ("评论", "Annotator"),
    ("作者", "Annotator"),
];

/// Whether a line begins a WXF file.
pub(super) fn is_wxf(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next() == Some("FORMAT") && words.next() == Some("WXF")
}

/// The tag of a header of a WXF file, perhaps of no value or name; `None` for other lines.
pub(super) fn wxf(line: &str) -> Option<(&'static str, String)> {
    let line = line.trim();
    let (name, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (_, tag) = WXF.iter().find(|(known, _)| *known == name)?;
    let is_player = matches!(name, "RED" | "BLACK");
    let value = if is_player { value.split(';').next().unwrap_or_default() } else { value };
    Some((tag, value.trim().to_string()))
}

/// The tags of a line such as `红方：甲 黑方：乙`, those without a value left out; `None` for other lines.
pub(super) fn chinese(line: &str) -> Option<Vec<(&'static str, String)>> {
    let line = line.trim();
    // The value of a name begins behind its colon and ends before the next name.
    let mut starts: Vec<(usize, usize, &str)> = Vec::new();
    for (name, tag) in CHINESE {
        for (at, _) in line.match_indices(name) {
            let after = line[at + name.len()..].trim_start();
            let is_word = line[..at].chars().next_back().is_none_or(char::is_whitespace);
            if let Some(value) = after.strip_prefix([':', '：']).filter(|_| is_word) {
                starts.push((at, line.len() - value.len(), tag));
            }
        }
    }
    starts.sort();
    starts.first().filter(|(at, ..)| *at == 0)?;
    let ends = starts.iter().skip(1).map(|&(at, ..)| at).chain([line.len()]);
    let tags = starts.iter().zip(ends).map(|(&(_, start, tag), end)| (tag, line[start..end].trim().to_string()));
    Some(tags.filter(|(_, value)| !value.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        let found = |line| {
            chinese(line).map(|tags| tags.into_iter().map(|(tag, value)| format!("{tag}={value}")).collect::<Vec<_>>())
        };
        assert_eq!(found("红方：甲\t黑方：乙"), Some(vec!["Red=甲".to_string(), "Black=乙".to_string()]));
        assert_eq!(found(" 赛事: 某赛 杯 "), Some(vec!["Event=某赛 杯".to_string()]));
        assert_eq!(found("评论: "), Some(Vec::new()));
        assert_eq!(found("红方弃马：好"), None);
        assert_eq!(found("结果 红胜"), None);
    }

    #[test]
    fn headers_of_wxf_files_are_found() {
        assert!(is_wxf("FORMAT\tWXF") && !is_wxf("FORMAT"));
        assert_eq!(wxf("RED     a b ; 1200 ;;"), Some(("Red", "a b".to_string())));
        assert_eq!(wxf("FEN\trhea b"), Some(("FEN", "rhea b".to_string())));
        assert_eq!(wxf("RED;"), None);
        assert_eq!(wxf("h2e2"), None);
    }
}
