//! Which functions and objects a source defines, and which names it uses.

use super::tokens::{Token, macro_body, macro_with_parameters, tokens, without_directives};
use super::without_comments;
use std::collections::BTreeSet;

/// Names in a source. Macros are not expanded: a name is what is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    /// Functions and objects that other sources can use.
    pub defined: BTreeSet<String>,
    /// Functions and objects of this source alone (`static`).
    pub local: BTreeSet<String>,
    /// Names that are called or indexed in functions and macros, or stand in the values of objects.
    pub used: BTreeSet<String>,
    /// Macros with parameters: to call one is no call.
    pub macros: BTreeSet<String>,
}

impl Symbols {
    /// Of a C or C++ text.
    pub fn of(text: &str) -> Symbols {
        let commented = without_comments(text);
        let plain = without_directives(&commented);
        let file = tokens(&plain);
        let mut symbols = Symbols {
            macros: commented
                .lines()
                .filter_map(macro_with_parameters)
                .collect(),
            ..Symbols::default()
        };
        let mut scanner = Scanner {
            tokens: &file,
            at: 0,
        };
        scanner.file_scope(&mut symbols);
        for body in commented.lines().filter_map(macro_body) {
            let tokens = tokens(body);
            match tokens.as_slice() {
                // Another name for something.
                [Token::Word(name)] => symbols.take_name(name),
                tokens => symbols.take_used(tokens),
            }
        }
        symbols
    }

    /// Takes in what a function's body uses.
    fn take_used(&mut self, tokens: &[Token<'_>]) {
        for pair in tokens.windows(2) {
            if let [Token::Word(word), Token::Mark('(' | '[')] = pair {
                self.take_name(word);
            }
        }
    }

    fn take_name(&mut self, name: &str) {
        if !KEYWORDS.contains(&name) {
            self.used.insert(name.to_owned());
        }
    }

    /// Of an assembler text: what it makes global.
    pub fn of_assembler(text: &str) -> Symbols {
        let plain = without_comments(text);
        let mut symbols = Symbols::default();
        for line in plain.lines() {
            let mut words = line.split_whitespace();
            if !matches!(words.next(), Some(".global" | ".globl")) {
                continue;
            }
            for word in words.flat_map(|word| word.split(',')) {
                // `cdecl(name)`: macros put a prefix in front where the platform wants one.
                let inner = word.rsplit('(').next().unwrap_or(word);
                let name = inner.trim_end_matches(')');
                let is_name = |c: char| c.is_ascii_alphanumeric() || "_.$".contains(c);
                if !name.is_empty() && name.chars().all(is_name) {
                    symbols.defined.insert(name.to_owned());
                    // The other spelling of the same function, for the other kind of platform.
                    if let Some(bare) = name.strip_prefix('_') {
                        symbols.defined.insert(bare.to_owned());
                    }
                }
            }
        }
        symbols
    }

    /// Whether other sources can call this function or use this object of it.
    pub fn defines(&self, name: &str) -> bool {
        self.defined.contains(name)
    }

    /// Names that have to come from elsewhere, if they are no macros.
    pub fn wanted(&self) -> impl Iterator<Item = &String> {
        let here = |name: &&String| {
            let known = [&self.defined, &self.local, &self.macros];
            !known.iter().any(|list| list.contains(*name))
        };
        self.used.iter().filter(here)
    }
}

const KEYWORDS: [&str; 14] = [
    "if", "for", "while", "switch", "return", "sizeof", "else", "do", "case", "defined", "int",
    "void", "_Alignas", "alignas",
];

/// Words before which a parenthesis belongs to the word: attributes and the like.
const DECORATIONS: [&str; 7] = [
    "__attribute__",
    "__attribute",
    "__declspec",
    "_Alignas",
    "alignas",
    "__asm__",
    "asm",
];

struct Scanner<'a, 't> {
    tokens: &'a [Token<'t>],
    at: usize,
}

impl<'t> Scanner<'_, 't> {
    fn next(&mut self) -> Option<Token<'t>> {
        let token = self.tokens.get(self.at).copied();
        self.at += 1;
        token
    }

    /// The tokens between a place and here.
    fn passed(&self, start: usize) -> &[Token<'t>] {
        let end = self.at.min(self.tokens.len());
        self.tokens.get(start..end).unwrap_or_default()
    }

    /// Goes on behind the bracket that closes the one just read.
    fn skip(&mut self, open: char, close: char) {
        let mut depth = 1;
        while depth > 0 {
            match self.next() {
                Some(Token::Mark(c)) if c == open => depth += 1,
                Some(Token::Mark(c)) if c == close => depth -= 1,
                None => return,
                _ => {}
            }
        }
    }

    /// Declarations and definitions outside of all functions.
    fn file_scope(&mut self, symbols: &mut Symbols) {
        let mut statement = Statement::default();
        while let Some(token) = self.next() {
            match token {
                Token::Word(word) if DECORATIONS.contains(&word) => {
                    if self.tokens.get(self.at) == Some(&Token::Mark('(')) {
                        self.at += 1;
                        self.skip('(', ')');
                    }
                }
                Token::Word(word) => statement.words.push(word),
                Token::Text => statement.texts += 1,
                Token::Mark('(') => {
                    // The first parenthesis behind a name is that of its parameters.
                    let name = statement.words.last().copied();
                    statement.function = statement.function.or(name);
                    self.skip('(', ')');
                }
                Token::Mark('[') => {
                    let name = statement.words.last().copied();
                    statement.object = statement.object.or(name);
                    self.skip('[', ']');
                }
                Token::Mark('=') => {
                    let name = statement.words.last().copied();
                    statement.object = statement.object.or(name);
                    statement.initialised = true;
                    let start = self.at;
                    self.skip_initialiser();
                    for token in self.passed(start) {
                        if let Token::Word(word) = token {
                            symbols.take_name(word);
                        }
                    }
                    statement.note_object(symbols);
                    statement = Statement::default();
                }
                Token::Mark('{') if statement.is_transparent() => statement = Statement::default(),
                Token::Mark('{') => {
                    let start = self.at;
                    self.skip('{', '}');
                    symbols.take_used(self.passed(start));
                    if statement.note_function(symbols) {
                        statement = Statement::default();
                    } else {
                        // A type; what follows may be an object of it.
                        statement.body = true;
                    }
                }
                Token::Mark(';') => {
                    statement.note_object(symbols);
                    statement = Statement::default();
                }
                Token::Mark('}') => statement = Statement::default(),
                Token::Mark(_) => {}
            }
        }
    }

    /// Goes on behind the end of a definition with a value.
    fn skip_initialiser(&mut self) {
        while let Some(token) = self.next() {
            match token {
                Token::Mark(';') => return,
                Token::Mark('{') => self.skip('{', '}'),
                Token::Mark('(') => self.skip('(', ')'),
                _ => {}
            }
        }
    }
}

/// What was read of a declaration or definition.
#[derive(Default)]
struct Statement<'t> {
    words: Vec<&'t str>,
    texts: usize,
    function: Option<&'t str>,
    object: Option<&'t str>,
    initialised: bool,
    body: bool,
}

impl Statement<'_> {
    fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// `extern "C" {` and `namespace x {`: what is inside stands outside of all functions too.
    fn is_transparent(&self) -> bool {
        (self.words == ["extern"] && self.texts == 1)
            || (self.has("namespace") && self.function.is_none())
    }

    /// Notes the function whose body was just passed. `false` if it was none.
    fn note_function(&self, symbols: &mut Symbols) -> bool {
        let Some(name) = self.function else {
            return false;
        };
        let list = if self.has("static") {
            &mut symbols.local
        } else {
            &mut symbols.defined
        };
        list.insert(name.to_owned());
        true
    }

    /// Notes the object of a statement that has ended.
    fn note_object(&self, symbols: &mut Symbols) {
        let only_declared = self.has("extern") && !self.initialised;
        if self.function.is_some() || self.has("typedef") || self.has("using") || only_declared {
            return;
        }
        // `int x;` has a type and a name; `struct s;` and `struct { … };` name no object.
        let is_tag =
            ["struct", "union", "enum", "class"].contains(self.words.first().unwrap_or(&""));
        let needed = if is_tag && !self.body { 3 } else { 2 };
        let name = match self.object {
            Some(name) => name,
            None if self.words.len() >= needed => match self.words.last() {
                Some(name) if !(self.body && self.words.len() == needed) => name,
                _ => return,
            },
            None => return,
        };
        let list = if self.has("static") {
            &mut symbols.local
        } else {
            &mut symbols.defined
        };
        list.insert(name.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn list(set: &BTreeSet<String>) -> Vec<&str> {
        set.iter().map(String::as_str).collect()
    }

    #[test]
    fn functions_and_objects() {
        let symbols = Symbols::of(
            r#"
            #include <stdint.h>
            #define wrapped(x) other(x)
            #define multi(x) \
                more(x) { }
            extern "C" {
            typedef struct { int a; } t;
            struct s { int b[3]; };
            enum e { A, B };
            extern int elsewhere[3];
            int prototype(int x, int y[2]);
            static const uint8_t own[2] = { 1, 2 };
            const int16_t zetas[128] = { f(1), 2 };
            unsigned char buffer[N], more;
            int counter;
            struct s one;
            static inline int helper(int x) { return x + zetas[x]; }
            __attribute__((noinline)) int kem_keygen(unsigned char *pk,
                unsigned long long *n) {
                if (n) { for (;;) { } }
                return helper(3) + kem_get_pk_len_bytes() + table[2];
            }
            }
            int last(void) { char c = '{'; const char *s = "}"; return 0; }
            "#,
        );
        assert_eq!(
            list(&symbols.defined),
            ["buffer", "counter", "kem_keygen", "last", "one", "zetas"]
        );
        assert_eq!(list(&symbols.local), ["helper", "own"]);
        assert_eq!(list(&symbols.macros), ["multi", "wrapped"]);
        let wanted: Vec<&str> = symbols.wanted().map(String::as_str).collect();
        assert!(wanted.contains(&"kem_get_pk_len_bytes") && wanted.contains(&"table"));
        assert!(wanted.contains(&"f") && wanted.contains(&"other"));
        for name in ["helper", "if", "prototype", "kem_keygen", "uint8_t"] {
            assert!(!wanted.contains(&name), "{name}");
        }
    }

    #[test]
    fn assembler_says_what_is_global() {
        let symbols = Symbols::of_assembler(
            ".text\n.global cdecl(ntt_avx)\n.globl a, _b\na:\n// .global c\nd:\n",
        );
        assert_eq!(list(&symbols.defined), ["_b", "a", "b", "ntt_avx"]);
    }

    #[test]
    fn main_is_seen_however_it_is_written() {
        for text in [
            "int main(void)\n{ return 0; }",
            "int\nmain (int argc, char *argv[]) {}",
            "void main(){}\n",
        ] {
            assert!(Symbols::of(text).defines("main"), "{text}");
        }
        for text in [
            "// int main() {}\n",
            "int main(void);",
            "char *s = \"int main() {}\";",
        ] {
            assert!(!Symbols::of(text).defines("main"), "{text}");
        }
    }

    proptest! {
        /// Nothing that a file can hold stops the scanner.
        #[test]
        fn any_text_is_read(text in "(\\PC|\n|\\{|\\}|\\(|\\)|int |static |=|;|\"|#){0,80}") {
            let _ = Symbols::of(&text);
        }
    }
}
