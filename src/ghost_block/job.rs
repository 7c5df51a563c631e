//! One prompt or document on its way: requests out, answers in.

use std::ops::Range;

use super::block::{self, Said};
use super::evaluate::{Document, Look, Need, NeedKind, Parsed, Reply, Wanted};
use super::front_matter::FrontMatter;
use super::images::{Address, address};
use super::items::{File, Items, Source};
use super::syntax::Remark;
use super::syntax::preprocess::Scope;
use super::syntax::references::{Found, Target};
use super::text::Text;
use super::{Diagnostic, GhostBlockAssembler, Held, Json, MACHINE};
use crate::error::{Error, ErrorCode};
use crate::table::Table;

/// Something that the host is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Names the request in its answer.
    pub id: u32,
    /// What is wanted.
    pub kind: RequestKind,
}

/// What is wanted. Paths have `/`; they are relative to the root, or absolute within another
/// allowed root. Symbolic links are the host's to check.
#[derive(Debug, Clone, PartialEq)]
pub enum RequestKind {
    /// A file, or exactly these lines of it.
    ReadFile {
        /// Which file.
        path: String,
        /// The first line, from 1.
        start_line: Option<u32>,
        /// The last line, included; without one, only the first is wanted.
        end_line: Option<u32>,
        /// The version that is held already, of which [`Answer::Unchanged`] may be said.
        known_version: Option<String>,
    },
    /// A listing of a folder.
    ListDirectory {
        /// Which folder.
        path: String,
    },
    /// A tool's result.
    RunTool {
        /// Which tool.
        name: String,
        /// A JSON object.
        args: Json,
    },
    /// An image.
    ReadImage {
        /// A path, or an address with `http:` or `https:`.
        uri: String,
    },
}

/// What the host answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// What was asked for.
    Content {
        /// The content.
        text: Text,
        /// A token that changes when the file does.
        version: Option<String>,
    },
    /// The file is still of the known version.
    Unchanged,
    /// There is no such file.
    Missing,
    /// The host does not allow it, and why.
    Denied(String),
    /// It failed, and how.
    Failed(String),
    /// An image.
    Image {
        /// Such as `image/png`.
        media_type: String,
        /// Its bytes in base64.
        data: Text,
    },
}

impl Answer {
    /// Content without a version.
    pub fn content(text: impl Into<Text>) -> Self {
        Self::Content {
            text: text.into(),
            version: None,
        }
    }
}

/// A document with what its front matter says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// The body, references replaced by their content.
    pub content: Text,
    /// `Description`, empty if there is none.
    pub description: String,
    /// `Params` of all documents read, each once.
    pub params: Vec<String>,
    /// What there is to tell.
    pub diagnostics: Vec<Diagnostic>,
}

/// What the job is about.
#[derive(Debug, Clone)]
enum Work {
    Prompt {
        units: Vec<u16>,
        /// What only looks like a reference in a prompt that was assembled before, and comes back.
        known: Option<Vec<usize>>,
    },
    Document(Vec<u16>),
    Skill(Vec<u16>),
}

/// Work that waits for answers.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    work: Work,
    answers: Table<Reply>,
    open: Vec<(u32, Need, Wanted)>,
    held: Table<Held>,
    is_new: bool,
    ready: Option<Ready>,
}

/// All that a job gives.
#[derive(Debug, Clone)]
pub(crate) enum Ready {
    Prompt(Box<ReadyPrompt>),
    Document {
        units: Vec<u16>,
        scope: Scope,
        diagnostics: Vec<Diagnostic>,
        front_matter: FrontMatter,
        results: Vec<(String, Text)>,
    },
}

#[derive(Debug, Clone)]
pub(crate) struct ReadyPrompt {
    pub(crate) user: Vec<u16>,
    pub(crate) is_changed: bool,
    pub(crate) is_repeat: bool,
    pub(crate) literals: Vec<usize>,
    pub(crate) images: Vec<Image>,
    pub(crate) rules: Vec<(Text, Text)>,
    pub(crate) items: Items,
    /// The macros before its rules were read, and behind its own directives.
    pub(crate) scopes: (Scope, Scope),
    pub(crate) scope: Scope,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) results: Vec<(String, Text)>,
    pub(crate) held: Table<Held>,
}

/// An image that takes the place of its reference.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Image {
    pub(crate) range: Range<usize>,
    pub(crate) alt: Text,
    pub(crate) media_type: String,
    pub(crate) data: Text,
}

impl GhostBlockAssembler {
    /// Begins a prompt; what was begun before and not finished is dropped without a trace.
    ///
    /// # Errors
    /// None; a prompt may say what it likes.
    pub fn begin_prompt(&mut self, prompt: &str) -> Result<(), Error> {
        self.begin_prompt_units(&prompt.encode_utf16().collect::<Vec<_>>());
        Ok(())
    }

    /// The same for UTF-16 code units.
    pub fn begin_prompt_units(&mut self, prompt: &[u16]) {
        let (user, found) = block::split(prompt);
        let hash = Text::from_units(user).fingerprint();
        let known = self
            .last
            .as_ref()
            .filter(|last| last.user == hash && (found.is_some() || last.was_changed));
        let known = known.map(|last| last.literals.clone());
        self.begin(Work::Prompt {
            units: user.to_vec(),
            known,
        });
    }

    /// Begins a document that is expanded as rules are.
    pub fn begin_document(&mut self, text: &[u16]) {
        self.begin(Work::Document(text.to_vec()));
    }

    /// Begins a skill: a document with YAML front matter.
    pub fn begin_skill(&mut self, text: &[u16]) {
        self.begin(Work::Skill(text.to_vec()));
    }

    fn begin(&mut self, work: Work) {
        self.job = Some(Job {
            work,
            answers: Table::default(),
            open: Vec::new(),
            held: Table::default(),
            is_new: true,
            ready: None,
        });
    }

    /// Drops what was begun. The conversation is as it was before.
    pub fn cancel(&mut self) {
        self.job = None;
    }

    /// Everything that can be asked for now and was not before. Ask again after answering.
    pub fn take_requests(&mut self) -> Vec<Request> {
        let Some(mut job) = self.job.take() else {
            return Vec::new();
        };
        let mut requests = Vec::new();
        if std::mem::take(&mut job.is_new) && job.ready.is_none() {
            let missing = self.look(&mut job);
            for (need, wanted) in missing {
                if job.open.iter().any(|(_, known, _)| *known == need) {
                    continue;
                }
                let id = self.requests;
                self.requests = self.requests.wrapping_add(1);
                requests.push(Request {
                    id,
                    kind: self.kind(&need, &wanted),
                });
                job.open.push((id, need, wanted));
            }
        }
        self.job = Some(job);
        requests
    }

    fn kind(&self, need: &Need, wanted: &Wanted) -> RequestKind {
        match wanted {
            Wanted::File(file) if file.is_directory => RequestKind::ListDirectory {
                path: file.path.clone(),
            },
            Wanted::File(file) => RequestKind::ReadFile {
                path: file.path.clone(),
                start_line: file.lines.map(|lines| lines.start),
                end_line: file.lines.and_then(|lines| lines.end),
                known_version: self.held.get(&need.key).map(|held| held.version.clone()),
            },
            Wanted::Tool { name, args } => RequestKind::RunTool {
                name: name.clone(),
                args: args.clone(),
            },
            Wanted::Image(uri) => RequestKind::ReadImage { uri: uri.clone() },
        }
    }

    /// Takes the answer to a request. What does not fit the request counts as a failure.
    ///
    /// # Errors
    /// `unknown_id` for a request that was never made, is answered already, or belongs to what was
    /// dropped.
    pub fn answer(&mut self, id: u32, answer: Answer) -> Result<(), Error> {
        let unknown = || {
            let message = "is no request that waits for an answer";
            Error::new(ErrorCode::UnknownId, MACHINE, message).at("id")
        };
        let job = self.job.as_mut().ok_or_else(unknown)?;
        let place = job
            .open
            .iter()
            .position(|(open, ..)| *open == id)
            .ok_or_else(unknown)?;
        let (_, need, wanted) = job.open.swap_remove(place);
        let error = |text: String| Self::reply(Said::Error(Text::from(text.as_str())), false);
        let limit = self.settings.max_item_bytes;
        let reply = match (answer, need.kind) {
            (Answer::Image { media_type, data }, NeedKind::Image) => {
                if data.utf8_len() / 4 * 3 > limit {
                    error(format!("the image exceeds the limit of {limit} bytes"))
                } else {
                    Reply::Image { media_type, data }
                }
            }
            (Answer::Content { text, version }, NeedKind::File) => {
                let bytes = text.utf8_len();
                if bytes > limit {
                    error(format!("{bytes} bytes exceed the limit of {limit} bytes"))
                } else {
                    if let Some(version) = version {
                        let content = text.clone();
                        job.held.insert(need.key.clone(), Held { version, content });
                    }
                    Self::reply(Said::Content(text), false)
                }
            }
            (Answer::Content { text, .. }, NeedKind::Tool) => {
                let bytes = text.utf8_len();
                if bytes > limit {
                    error(format!("{bytes} bytes exceed the limit of {limit} bytes"))
                } else {
                    Self::reply(Said::Content(text), false)
                }
            }
            (Answer::Unchanged, NeedKind::File) => match self.held.get(&need.key) {
                Some(held) => {
                    job.held.insert(need.key.clone(), held.clone());
                    Self::reply(Said::Content(held.content.clone()), false)
                }
                None => error("the host said `unchanged` of a version that is not known".into()),
            },
            (Answer::Missing, _) => Self::reply(Said::Error(Text::from("not found")), true),
            (Answer::Denied(why), _) => error(format!("denied: {why}")),
            (Answer::Failed(how), _) => error(how),
            _ => error("the host gave an answer of the wrong kind".into()),
        };
        job.answers.insert(need.name(), reply);
        // Only a document that is read as rules are can lead to further requests.
        job.is_new |=
            job.open.is_empty() || (self.settings.trust_files && matches!(wanted, Wanted::File(_)));
        Ok(())
    }

    /// Whether nothing is missing any more.
    pub fn is_ready(&mut self) -> bool {
        if let Some(mut job) = self.job.take() {
            if job.is_new && job.open.is_empty() && job.ready.is_none() {
                self.look(&mut job);
            }
            self.job = Some(job);
        }
        self.job.as_ref().is_some_and(|job| job.ready.is_some())
    }

    /// Ends the document that is ready, and gives it with its references replaced.
    ///
    /// # Errors
    /// `wrong_order` if no document is ready.
    pub fn finish_document(&mut self) -> Result<(Text, Vec<Diagnostic>), Error> {
        let skill = self.finish_skill()?;
        Ok((skill.content, skill.diagnostics))
    }

    /// Ends the skill that is ready.
    ///
    /// # Errors
    /// `wrong_order` if no skill is ready.
    pub fn finish_skill(&mut self) -> Result<Skill, Error> {
        match self.take_ready()? {
            Ready::Document {
                units,
                scope,
                diagnostics,
                front_matter,
                results,
            } => {
                self.scope = scope;
                for (key, result) in results {
                    self.results.insert(key, result);
                }
                Ok(Skill {
                    content: Text::from_units(&units),
                    description: front_matter.description.unwrap_or_default(),
                    params: front_matter.params,
                    diagnostics,
                })
            }
            Ready::Prompt(_) => {
                let message = "what is ready is a prompt, not a document";
                Err(Error::new(ErrorCode::WrongOrder, MACHINE, message))
            }
        }
    }

    /// Takes what the job gives.
    pub(crate) fn take_ready(&mut self) -> Result<Ready, Error> {
        let is_ready = self.is_ready();
        let job = self.job.take_if(|_| is_ready);
        job.and_then(|job| job.ready).ok_or_else(|| {
            let message = "nothing is ready; begin, and answer every request first";
            Error::new(ErrorCode::WrongOrder, MACHINE, message)
        })
    }

    /// Looks at a job: fills in what it gives, or answers with what is missing.
    fn look(&self, job: &mut Job) -> Vec<(Need, Wanted)> {
        let mut look = Look::new(
            &self.settings,
            &job.answers,
            &self.results,
            self.scope.clone(),
        );
        let ready = match &job.work {
            Work::Prompt { units, known } => {
                let ready = self.look_at_prompt(units, known.as_deref(), &mut look);
                Ready::Prompt(Box::new(ready))
            }
            Work::Document(units) | Work::Skill(units) => {
                let is_skill = matches!(job.work, Work::Skill(_));
                look.front_matter = is_skill.then(FrontMatter::default);
                let document = Document {
                    units,
                    source: None,
                };
                let units = look.expand(&document, &mut Vec::new());
                Ready::Document {
                    units,
                    scope: std::mem::take(&mut look.scope),
                    diagnostics: std::mem::take(&mut look.diagnostics),
                    front_matter: look.front_matter.take().unwrap_or_default(),
                    results: Vec::new(),
                }
            }
        };
        let missing = std::mem::take(&mut look.missing);
        if look.is_complete {
            let results: Vec<(String, Text)> = job.answers.iter().filter_map(result).collect();
            job.ready = Some(match ready {
                Ready::Prompt(mut prompt) => {
                    prompt.results = results;
                    prompt.held = std::mem::take(&mut job.held);
                    Ready::Prompt(prompt)
                }
                Ready::Document {
                    units,
                    scope,
                    diagnostics,
                    front_matter,
                    ..
                } => Ready::Document {
                    units,
                    scope,
                    diagnostics,
                    front_matter,
                    results,
                },
            });
        }
        missing
    }

    fn look_at_prompt(
        &self,
        units: &[u16],
        known: Option<&[usize]>,
        look: &mut Look,
    ) -> ReadyPrompt {
        // What comes back is read under the macros that it was read under before.
        let repeated = self.last.as_ref().filter(|_| known.is_some());
        let is_repeat = repeated.is_some();
        if let Some(last) = repeated {
            look.scope = last.scopes.0.clone();
        }
        let before = look.scope.clone();
        let turn = if is_repeat { self.turn } else { self.turn + 1 };
        let rules = self
            .rules
            .iter()
            .map(|rule| {
                let document = Document {
                    units: &rule.content,
                    source: Some(&rule.name),
                };
                let content = look.expand(&document, &mut Vec::new());
                (Text::from(rule.name.as_str()), Text::from_units(&content))
            })
            .collect();
        let document = Document {
            units,
            source: None,
        };
        let Parsed {
            expanded,
            references,
        } = match known {
            Some(literals) => look.parse_again(units, literals),
            None => look.parse(&document),
        };
        if let Some(last) = repeated {
            look.scope = last.scopes.1.clone();
        }
        let scopes = (before, look.scope.clone());
        let mut items = self.items.clone();
        let mut images = Vec::new();
        let mut called = Vec::new();
        for Found { range, target } in &references {
            match target {
                Target::File { path, lines } => {
                    let source = match self.settings.roots.resolve(path) {
                        Ok(resolved) => Source::File(File::new(resolved, *lines)),
                        Err(_) => Source::Denied(path.clone()),
                    };
                    let is_denied = matches!(source, Source::Denied(_));
                    let place = items.refer(source, turn);
                    if is_denied && let Err(denied) = self.settings.roots.resolve(path) {
                        let error = format!("denied: {}", denied.reason());
                        items.all[place].said = Some(Said::Error(Text::from(error.as_str())));
                    }
                }
                Target::Tool { name, args } => {
                    let source = Source::Tool {
                        name: name.clone(),
                        args: args.clone(),
                    };
                    let place = items.refer(source, turn);
                    called.push(items.all[place].identity.clone());
                }
                Target::Image { alt, uri } => {
                    let alt = Text::from_units(&expanded.units[alt.clone()]);
                    match self.image(uri, look) {
                        Ok(Some((media_type, data))) => images.push(Image {
                            range: range.clone(),
                            alt,
                            media_type,
                            data,
                        }),
                        Ok(None) => {}
                        Err(why) => {
                            let at = expanded.origin(range.start);
                            look.remark(&document, [Remark::warning(at, "image", why)]);
                        }
                    }
                }
            }
        }
        items.drop_parts();
        let limit = self.settings.max_items;
        for (place, item) in items.all.iter_mut().enumerate() {
            if place >= limit {
                let error = format!("the items exceed the limit of {limit}");
                item.said = Some(Said::Error(Text::from(error.as_str())));
                continue;
            }
            match &item.source {
                Source::Tool { name, args } => {
                    let has_result = matches!(item.said, Some(Said::Content(_)));
                    if called.contains(&item.identity)
                        && !has_result
                        && let Some(said) = look.tool(name, args)
                    {
                        item.said = Some(said);
                    }
                }
                Source::File(_) | Source::Denied(_) => {}
            }
        }
        for item in items.all.iter_mut().take(limit) {
            let Source::File(file) = &item.source else {
                continue;
            };
            let Some((said, is_gone)) = look.file(file) else {
                continue;
            };
            item.is_gone = is_gone;
            item.said = Some(match said {
                Said::Content(content) if self.settings.trust_files && !file.is_directory => {
                    let key = file.key();
                    let units = content.to_units();
                    let document = Document {
                        units: &units,
                        source: Some(&key),
                    };
                    let expanded = look.expand(&document, &mut vec![key.clone()]);
                    Said::Content(Text::from_units(&expanded))
                }
                said => said,
            });
        }
        ReadyPrompt {
            is_changed: expanded.units != units,
            user: expanded.units,
            is_repeat,
            literals: expanded.literals,
            images,
            rules,
            items,
            scopes,
            scope: std::mem::take(&mut look.scope),
            diagnostics: std::mem::take(&mut look.diagnostics),
            results: Vec::new(),
            held: Table::default(),
        }
    }

    /// An image, once it is there, or why it stays text.
    fn image(&self, uri: &str, look: &mut Look) -> Result<Option<(String, Text)>, String> {
        let request = match address(uri) {
            Address::Data(media_type, data) => {
                return Ok(Some((media_type, Text::from(data.as_str()))));
            }
            Address::Remote(uri) if self.settings.remote_images => uri.to_owned(),
            Address::Path(path) => match self.settings.roots.resolve(path) {
                Ok(resolved) => resolved.request,
                Err(denied) => return Err(format!("denied: {}", denied.reason())),
            },
            Address::Remote(_) => return Err("images of other hosts are not asked for".into()),
            Address::Other => return Err("this is no address of an image".into()),
        };
        let need = Need::new(NeedKind::Image, request.clone());
        match look.need(need, || Wanted::Image(request)) {
            Some(Reply::Image { media_type, data }) => Ok(Some((media_type.clone(), data.clone()))),
            Some(Reply::Said { said, .. }) => match said {
                Said::Error(why) => Err(why.to_string()),
                Said::Content(_) => Err("the host gave no image".into()),
            },
            None => Ok(None),
        }
    }
}

/// The result of a tool, with the key of its call.
fn result((name, reply): &(String, Reply)) -> Option<(String, Text)> {
    let key = name.strip_prefix("t ")?;
    match reply {
        Reply::Said {
            said: Said::Content(text),
            ..
        } => Some((key.to_owned(), text.clone())),
        _ => None,
    }
}
