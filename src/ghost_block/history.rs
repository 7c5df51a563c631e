//! The set of items rebuilt from an old conversation.

use super::GhostBlockAssembler;
use super::block::{Block, Said, split};
use super::evaluate::{Document, Look};
use super::items::{File, Source, tool_key};
use super::syntax::references::{Found, Target, find};
use super::text::Text;
use super::write::hash;
use crate::table::Table;

impl GhostBlockAssembler {
    /// Takes the text of a user message of an old conversation, oldest first: the content that a
    /// block in it holds, and the files that it refers to, to be read with the next prompt. Tools
    /// are never run for it. Answers with the number of items there are then, rules left out.
    pub fn scan_message(&mut self, text: &[u16]) -> usize {
        let (user, block) = split(text);
        self.turn += 1;
        if let Some(block) = block.and_then(Block::read) {
            self.take_block(block);
        }
        let (answers, results) = (Table::default(), Table::default());
        let scope = std::mem::take(&mut self.scope);
        let mut look = Look::new(&self.settings, &answers, &results, scope);
        let parsed = look.parse(&Document {
            units: user,
            source: None,
        });
        self.scope = look.scope;
        for Found { target, .. } in parsed.references {
            match target {
                Target::File { path, lines } => self.refer_to_file(&path, lines),
                Target::Tool { name, args } => {
                    if self.results.get(&tool_key(&name, &args)).is_some() {
                        self.items.refer(Source::Tool { name, args }, self.turn);
                    }
                }
                Target::Image { .. } => {}
            }
        }
        self.items.drop_parts();
        self.items.all.len()
    }

    /// A path that may not be followed is none that an old conversation can add.
    fn refer_to_file(&mut self, path: &str, lines: Option<super::syntax::references::Lines>) {
        if let Ok(resolved) = self.settings.roots.resolve(path) {
            let source = Source::File(File::new(resolved, lines));
            self.items.refer(source, self.turn);
        }
    }

    fn take_block(&mut self, block: Block) {
        for (key, said) in block.files {
            // A key is written as a reference is.
            let reference: Vec<u16> = format!("@[{key}]").encode_utf16().collect();
            let (found, _) = find(&reference, &[], |_| false);
            let Some(Found {
                target: Target::File { path, lines },
                ..
            }) = found.into_iter().next()
            else {
                continue;
            };
            let Ok(resolved) = self.settings.roots.resolve(&path) else {
                continue;
            };
            let source = Source::File(File::new(resolved, lines));
            self.remember(source, said);
        }
        for (name, args, said) in block.tools {
            let name = name.to_string();
            if let Said::Content(result) = &said {
                self.results.insert(tool_key(&name, &args), result.clone());
            }
            self.remember(Source::Tool { name, args }, said);
        }
        if self.settings.is_delta {
            for (name, content) in block.rules {
                self.sent.insert(format!("r {name}"), content.fingerprint());
            }
        }
    }

    fn remember(&mut self, source: Source, said: Said) {
        let place = self.items.refer(source, self.turn);
        let item = &mut self.items.all[place];
        item.is_gone = said == Said::Error(Text::from("not found"));
        if self.settings.is_delta {
            self.sent.insert(item.identity.clone(), hash(item, &said));
        }
        item.said = Some(said);
    }
}
