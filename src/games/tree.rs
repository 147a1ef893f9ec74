//! The moves of a recorded game: a main line, and variations at any ply.

use super::error::{MAX_PLIES, ReadError, ReadErrorKind};
use super::visible::visible;
use crate::notation::NotationError;
use crate::position::Position;
use crate::types::Move;

/// A node of a [`MoveTree`]: the position after a move, or the start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// The moves of a game as a tree. Of the moves from a node the first one is the main line there, the others are
/// variations. Every node may have a comment and a glyph.
#[derive(Clone, Debug)]
pub struct MoveTree {
    /// The root first; a node comes after its parent and after its elder siblings.
    nodes: Vec<Node>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    /// The move that leads here; `None` at the root.
    mv: Option<Move>,
    parent: u32,
    /// 0, the root, stands for none.
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
    comment: String,
    glyph: u8,
}

impl MoveTree {
    /// The start position.
    pub const ROOT: NodeId = NodeId(0);

    /// A tree without moves.
    pub fn new() -> MoveTree {
        MoveTree { nodes: vec![Node::default()] }
    }

    /// A tree of one line.
    pub fn of_line(moves: &[Move]) -> MoveTree {
        let mut tree = MoveTree::new();
        moves.iter().fold(MoveTree::ROOT, |node, &mv| tree.add(node, mv));
        tree
    }

    /// Adds a move from `parent`, behind those that are there. Whether it is legal is up to the caller.
    ///
    /// # Panics
    /// With more than 2³² nodes.
    pub fn add(&mut self, parent: NodeId, mv: Move) -> NodeId {
        let number = u32::try_from(self.nodes.len()).expect("invariant: records are bounded");
        self.nodes.push(Node { mv: Some(mv), parent: parent.0, ..Node::default() });
        let elder = std::mem::replace(&mut self.node_mut(parent).last_child, number);
        match elder {
            0 => self.node_mut(parent).first_child = number,
            elder => self.nodes[elder as usize].next_sibling = number,
        }
        NodeId(number)
    }

    /// Number of moves in the tree.
    pub fn moves(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Number of lines: 1 and one for each variation.
    pub fn lines(&self) -> usize {
        self.nodes.iter().filter(|node| node.first_child == 0).count()
    }

    /// The move that leads to `node`; `None` at the root.
    pub fn mv(&self, node: NodeId) -> Option<Move> {
        self.node(node).mv
    }

    /// The node of a move from `parent`, if the tree has it.
    pub fn child(&self, parent: NodeId, mv: Move) -> Option<NodeId> {
        let mut child = self.first_child(parent);
        while let Some(node) = child.filter(|&node| self.mv(node) != Some(mv)) {
            child = self.next_sibling(node);
        }
        child
    }

    /// The node before; `None` at the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.node(node).mv.map(|_| NodeId(self.node(node).parent))
    }

    /// The nodes after the moves from `node`, that of the main line first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(node), |&child| self.next_sibling(child))
    }

    /// The node after the main move from `node`.
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        Some(NodeId(self.node(node).first_child)).filter(|&child| child != MoveTree::ROOT)
    }

    /// The next alternative to the move that leads to `node`.
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        Some(NodeId(self.node(node).next_sibling)).filter(|&sibling| sibling != MoveTree::ROOT)
    }

    /// What is written about the position of `node`; empty without a comment.
    pub fn comment(&self, node: NodeId) -> &str {
        &self.node(node).comment
    }

    /// Adds to the comment of `node`, without characters that command a terminal.
    pub fn add_comment(&mut self, node: NodeId, text: &str) {
        let (text, comment) = (visible(text), &mut self.node_mut(node).comment);
        if !comment.is_empty() && !text.is_empty() {
            comment.push(' ');
        }
        comment.push_str(&text);
    }

    /// The numeric annotation glyph (NAG) of the move that leads to `node`: 1 `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`;
    /// 0 without one.
    pub fn glyph(&self, node: NodeId) -> u8 {
        self.node(node).glyph
    }

    /// Sets it.
    pub fn set_glyph(&mut self, node: NodeId, glyph: u8) {
        self.node_mut(node).glyph = glyph;
    }

    /// All nodes, the root first; a variation comes after all that follows its elder siblings.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(MoveTree::ROOT), |&node| {
            let up = std::iter::successors(Some(node), |&node| self.parent(node));
            self.first_child(node).or_else(|| up.into_iter().find_map(|node| self.next_sibling(node)))
        })
    }

    /// The nodes of the main line, without the root.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(MoveTree::ROOT), |&node| self.first_child(node))
    }

    /// The moves of the main line.
    pub fn main_moves(&self) -> Vec<Move> {
        self.main_line().filter_map(|node| self.mv(node)).collect()
    }

    /// The moves from the root to `node`.
    pub fn moves_to(&self, node: NodeId) -> Vec<Move> {
        let path = std::iter::successors(Some(node), |&node| self.parent(node));
        let mut moves: Vec<Move> = path.filter_map(|node| self.mv(node)).collect();
        moves.reverse();
        moves
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.0 as usize]
    }

    fn node_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[node.0 as usize]
    }
}

impl Default for MoveTree {
    fn default() -> Self {
        Self::new()
    }
}

/// Trees are equal if they have the same moves, comments and glyphs in the same places, in whatever order they were added.
impl PartialEq for MoveTree {
    fn eq(&self, other: &MoveTree) -> bool {
        let content = |tree: &MoveTree, node| {
            let is_leaf = tree.first_child(node).is_none();
            let is_last = tree.next_sibling(node).is_none();
            (tree.mv(node), tree.comment(node).to_string(), tree.glyph(node), is_leaf, is_last)
        };
        self.nodes.len() == other.nodes.len()
            && self.nodes().zip(other.nodes()).all(|(own, others)| content(self, own) == content(other, others))
    }
}

impl Eq for MoveTree {}

/// A walk through the positions of a [`MoveTree`], which may add moves.
pub struct TreeCursor {
    tree: MoveTree,
    node: NodeId,
    position: Position,
}

impl TreeCursor {
    /// At the root of `tree`, whose position is `start`.
    pub fn new(tree: MoveTree, start: Position) -> TreeCursor {
        TreeCursor { tree, node: MoveTree::ROOT, position: start }
    }

    /// The node.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// Its position, with the moves that led to it.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The tree.
    pub fn tree(&mut self) -> &mut MoveTree {
        &mut self.tree
    }

    /// The tree at the end.
    pub fn into_tree(self) -> MoveTree {
        self.tree
    }

    /// Adds a move and makes it.
    ///
    /// # Errors
    /// When it is illegal, and when the line has [`MAX_PLIES`].
    pub fn add(&mut self, mv: Move) -> Result<(), ReadErrorKind> {
        if !self.position.is_legal(mv) {
            return Err(NotationError::Illegal(mv.to_string()).into());
        }
        if self.position.plies() >= MAX_PLIES {
            return Err(ReadErrorKind::TooManyMoves);
        }
        self.node = self.tree.add(self.node, mv);
        self.position.make(mv);
        Ok(())
    }

    /// Goes to `node`, by taking moves back and making others.
    pub fn go_to(&mut self, node: NodeId) {
        let (mut path, mut at) = (Vec::new(), node);
        // A node comes after its parent: of two that differ, the later one is not on the way from the root to the other.
        while self.node != at {
            if self.node > at {
                self.position.undo();
                self.node = self.tree.parent(self.node).unwrap_or(MoveTree::ROOT);
            } else {
                path.push(at);
                at = self.tree.parent(at).unwrap_or(MoveTree::ROOT);
            }
        }
        for &node in path.iter().rev() {
            self.position.make(self.tree.mv(node).expect("invariant: only the root has no move"));
        }
        self.node = node;
    }
}

/// A move of a tree as binary formats store it: depth first, what follows a move before the alternatives to it.
pub(super) struct StoredMove {
    /// Where it is, in bytes.
    pub offset: usize,
    /// The move; `None` where the bytes are none.
    pub mv: Option<Move>,
    /// Whether a move from its position follows.
    pub has_next: bool,
    /// Whether an alternative to it follows, after all that follows it.
    pub has_alternative: bool,
    /// What is written about the position after it.
    pub comment: String,
}

/// The tree of stored moves from `start`, and the first error. `has_move`: whether there is one; `next`: the next one.
/// Neither an illegal move nor what follows it is in the tree.
pub(super) fn read_stored(
    start: &Position,
    has_move: bool,
    mut next: impl FnMut() -> Result<StoredMove, ReadError>,
) -> (MoveTree, Option<ReadError>) {
    let mut cursor = TreeCursor::new(MoveTree::new(), start.clone());
    let mut error = None;
    // Where moves follow; `None` after an illegal one.
    let mut parents: Vec<Option<NodeId>> = if has_move { vec![Some(MoveTree::ROOT)] } else { Vec::new() };
    while let Some(parent) = parents.pop() {
        let stored = match next() {
            Ok(stored) => stored,
            Err(end) => {
                error.get_or_insert(end);
                break;
            }
        };
        if stored.has_alternative {
            parents.push(parent);
        }
        let node = parent.and_then(|parent| match add_stored(&mut cursor, parent, &stored) {
            Ok(node) => Some(node),
            Err(kind) => {
                error.get_or_insert(ReadError::at_byte(stored.offset, kind));
                None
            }
        });
        if stored.has_next {
            parents.push(node);
        }
    }
    (cursor.into_tree(), error)
}

fn add_stored(cursor: &mut TreeCursor, parent: NodeId, stored: &StoredMove) -> Result<NodeId, ReadErrorKind> {
    cursor.go_to(parent);
    cursor.add(stored.mv.ok_or_else(|| NotationError::Illegal("??".to_string()))?)?;
    let node = cursor.node();
    cursor.tree().add_comment(node, &stored.comment);
    Ok(node)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves<const N: usize>(texts: [&str; N]) -> [Move; N] {
        texts.map(|text| text.parse().unwrap())
    }

    /// A main line of three moves, two variations at the second ply and one within the first of them.
    fn tree() -> (MoveTree, [NodeId; 7]) {
        let [a, b, c, d, e, f, g] = moves(["h2e2", "h9g7", "h0g2", "b9c7", "b0c2", "a0a1", "g6g5"]);
        let mut tree = MoveTree::of_line(&[a, b, c]);
        let line: Vec<NodeId> = tree.main_line().collect();
        let second = tree.add(line[0], d);
        let third = tree.add(second, e);
        let inner = tree.add(second, f);
        let last = tree.add(line[0], g);
        (tree, [line[0], line[1], line[2], second, third, inner, last])
    }

    #[test]
    fn main_line_and_variations_are_told_apart() {
        let (mut tree, [first, second, _, variation, third, inner, last]) = tree();
        assert_eq!(tree.main_moves(), moves(["h2e2", "h9g7", "h0g2"]));
        assert_eq!(tree.children(first).collect::<Vec<_>>(), [second, variation, last]);
        assert_eq!((tree.moves(), tree.lines()), (7, 4));
        assert_eq!(tree.moves_to(inner), moves(["h2e2", "b9c7", "a0a1"]));
        assert_eq!((tree.parent(third), tree.parent(MoveTree::ROOT)), (Some(variation), None));
        tree.add_comment(third, "one");
        tree.add_comment(third, "t\0w\u{1b}o");
        assert_eq!((tree.comment(third), tree.comment(MoveTree::ROOT)), ("one two", ""));
    }

    #[test]
    fn nodes_are_entered_with_their_positions() {
        let (tree, [first, second, third, variation, one, other, last]) = tree();
        let start = Position::start();
        let order: Vec<NodeId> = tree.nodes().collect();
        assert_eq!(order, [MoveTree::ROOT, first, second, third, variation, one, other, last]);
        let mut cursor = TreeCursor::new(tree.clone(), start.clone());
        // Forwards, backwards, and to and fro.
        let ends = order.iter().zip(order.iter().rev()).flat_map(|(&one, &other)| [one, other]);
        for node in order.iter().copied().chain(order.iter().rev().copied()).chain(ends) {
            cursor.go_to(node);
            let mut expected = start.clone();
            tree.moves_to(node).iter().for_each(|&mv| expected.make(mv));
            assert_eq!((cursor.node(), cursor.position().to_fen()), (node, expected.to_fen()));
        }
        assert_eq!(MoveTree::new().nodes().count(), 1);
    }

    #[test]
    fn equality_ignores_the_order_of_adding() {
        let (one, _) = tree();
        let [a, b, c, d, e, f, g] = moves(["h2e2", "h9g7", "h0g2", "b9c7", "b0c2", "a0a1", "g6g5"]);
        let mut other = MoveTree::new();
        let first = other.add(MoveTree::ROOT, a);
        let second = other.add(first, b);
        let variation = other.add(first, d);
        let last = other.add(first, g);
        other.add(variation, e);
        let inner = other.add(variation, f);
        assert_ne!(one, other);
        other.add(second, c);
        assert_eq!(one, other);
        for change in [last, inner] {
            let mut changed = other.clone();
            changed.add_comment(change, "!");
            assert_ne!(one, changed);
            let mut changed = other.clone();
            changed.set_glyph(change, 1);
            assert_ne!(one, changed);
        }
        assert_ne!(MoveTree::of_line(&[a, b]), MoveTree::of_line(&[a, c]));
    }
}
