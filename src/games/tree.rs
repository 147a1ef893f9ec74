//! The moves of a recorded game: a main line, and variations at any ply.

use crate::position::Position;
use crate::types::Move;

/// A node of a [`MoveTree`]: the position after a move, or the start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// The moves of a game as a tree. Of the moves from a node the first one is the main line there, the others are
/// variations. Every node may have a comment.
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

    /// The node before; `None` at the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.node(node).mv.map(|_| NodeId(self.node(node).parent))
    }

    /// The nodes after the moves from `node`, that of the main line first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let next = |node: u32| (node != 0).then_some(NodeId(node));
        std::iter::successors(next(self.node(node).first_child), move |&child| next(self.node(child).next_sibling))
    }

    /// What is written about the position of `node`; empty without a comment.
    pub fn comment(&self, node: NodeId) -> &str {
        &self.node(node).comment
    }

    /// Adds a line to the comment of `node`.
    pub fn add_comment(&mut self, node: NodeId, text: &str) {
        let comment = &mut self.node_mut(node).comment;
        if !comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(text);
    }

    /// The nodes of the main line, without the root.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.children(MoveTree::ROOT).next(), |&node| self.children(node).next())
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

    /// Calls `visit` with every node, the root first, and its position, each after its parent; a variation comes after
    /// all that follows its elder siblings. `start` is the position of the root.
    pub fn visit(&self, start: &Position, visit: &mut dyn FnMut(NodeId, &Position)) {
        let mut position = start.clone();
        visit(MoveTree::ROOT, &position);
        let mut node = MoveTree::ROOT;
        loop {
            // Down, else to the next sibling of the nearest node that has one.
            let mut next = self.node(node).first_child;
            while next == 0 {
                if self.node(node).mv.is_none() {
                    return;
                }
                position.undo();
                next = self.node(node).next_sibling;
                node = NodeId(self.node(node).parent);
            }
            node = NodeId(next);
            position.make(self.node(node).mv.expect("invariant: only the root has no move"));
            visit(node, &position);
        }
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

/// Trees are equal if they have the same moves and comments in the same places, in whatever order they were added.
impl PartialEq for MoveTree {
    fn eq(&self, other: &MoveTree) -> bool {
        let mut pairs = vec![(MoveTree::ROOT, MoveTree::ROOT)];
        while let Some((own, others)) = pairs.pop() {
            let [own_children, other_children]: [Vec<NodeId>; 2] =
                [self.children(own).collect(), other.children(others).collect()];
            let is_equal = self.mv(own) == other.mv(others) && self.comment(own) == other.comment(others);
            if !is_equal || own_children.len() != other_children.len() {
                return false;
            }
            pairs.extend(own_children.into_iter().zip(other_children));
        }
        true
    }
}

impl Eq for MoveTree {}

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
        tree.add_comment(third, "two");
        assert_eq!((tree.comment(third), tree.comment(MoveTree::ROOT)), ("one\ntwo", ""));
    }

    #[test]
    fn nodes_are_visited_with_their_positions() {
        let (tree, [first, second, third, variation, one, other, last]) = tree();
        let start = Position::start();
        let mut visited = Vec::new();
        tree.visit(&start, &mut |node, position| {
            let mut expected = start.clone();
            tree.moves_to(node).iter().for_each(|&mv| expected.make(mv));
            assert_eq!(position.to_fen(), expected.to_fen());
            visited.push(node);
        });
        assert_eq!(visited, [MoveTree::ROOT, first, second, third, variation, one, other, last]);
        let mut count = 0;
        MoveTree::new().visit(&start, &mut |_, _| count += 1);
        assert_eq!(count, 1);
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
        }
        assert_ne!(MoveTree::of_line(&[a, b]), MoveTree::of_line(&[a, c]));
    }
}
