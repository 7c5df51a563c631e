//! The words by which tools, arguments, programs and results are understood: one list for each meaning, in lower
//! case, with white space between the words. A word may be in several lists of results and in several of arguments.

use super::vocabulary::{ArgumentRole, Program, ResultWord, ToolKind, ToolTrait, WaitVerb};

/// Words of tools' names. A tool whose name holds words of several kinds is of the first of them in
/// the order of [`ToolKind`].
pub(super) const TOOLS: &[(ToolKind, &str)] = &[
    (
        ToolKind::Note,
        "think thinking thought sequentialthinking todo todos todowrite plan tasks respond ask question
         completion complete finish",
    ),
    (
        ToolKind::Wait,
        "wait sleep pause poll output stdin status screenshot click press key keys hotkey mouse
         hover undo back step next continue resume monitor progress check job jobs",
    ),
    (ToolKind::Navigate, "navigate goto visit url"),
    (ToolKind::Browser, "browser computer puppeteer playwright"),
    (ToolKind::Scroll, "scroll"),
    (
        ToolKind::Check,
        "diagnostic diagnostics errors problems lint lints linter typecheck",
    ),
    (
        ToolKind::Edit,
        "edit editor replace patch insert append add multiedit delete rename move remove commit",
    ),
    (
        ToolKind::Write,
        "write create save overwrite post publish upload update",
    ),
    (
        ToolKind::Command,
        "bash shell sh zsh exec execute run command cmd terminal powershell pwsh console ipython
         gdb lldb pdb jdb dlv",
    ),
    (
        ToolKind::Search,
        "read view look inspect open cat head tail less ls dir list tree glob grep rg ripgrep ag search find
         fetch browse query recall retrieve analyze analyse todoread webfetch websearch codesearch
         definition definitions references symbols usages",
    ),
    (
        ToolKind::Lookup,
        "get lookup show describe task agent subagent delegate",
    ),
];

/// Words of tools' names that say more than their kind. A person answers only a question among the arguments.
pub(super) const TRAITS: &[(ToolTrait, &str)] = &[
    (
        ToolTrait::PERSON,
        "user human person followup clarify clarification",
    ),
    (
        ToolTrait::DEBUGGER,
        "gdb lldb pdb jdb dlv delve debug debugger dap",
    ),
    (
        ToolTrait::STEPS,
        "step stepi stepover stepinto stepout next nexti continue resume forward",
    ),
    (
        ToolTrait::ACTS,
        "send post publish reply comment notify email mail tweet create submit",
    ),
    (
        ToolTrait::CLOSES,
        "finish finished completion complete completed done submit final",
    ),
    (
        ToolTrait::BESIDE_CLOSING,
        "attempt task answer the work result mark as",
    ),
    (ToolTrait::TAKES_STOCK, "glob"),
    (ToolTrait::DELEGATES, "task agent subagent delegate"),
];

/// Verbs that tell an editor which of several things to do.
pub(super) const EDITOR_VERBS: &[(ToolKind, &str)] = &[
    (ToolKind::Search, "view read"),
    (ToolKind::Edit, "str_replace replace insert append"),
    (ToolKind::Write, "create write"),
    (ToolKind::Wait, "undo_edit"),
];

/// Verbs that tell a tool which of several things to do, where the same again may be meant.
pub(super) const WAIT_VERBS: &[(WaitVerb, &str)] = &[
    (WaitVerb::Waits, "poll wait sleep pause delay"),
    (
        WaitVerb::MovesOn,
        "scroll scroll_down scroll_up page_down page_up key keypress press hotkey undo undo_edit",
    ),
];

/// Names of arguments.
pub(super) const ARGUMENTS: &[(ArgumentRole, &str)] = &[
    (
        ArgumentRole::COSMETIC,
        "description explanation instruction instructions justification reason task_progress
         requires_approval timeout timeout_ms timeout_seconds yield_time_ms is_background
         isbackground run_in_background is_static security_risk call_id tool_call_id nonce
         timestamp",
    ),
    (
        ArgumentRole::REQUEST,
        "request_id requestid trace_id traceid correlation_id correlationid idempotency_key
         idempotencykey ref uid",
    ),
    (
        ArgumentRole::PATH,
        "path file_path filepath file filename file_name target_file targetfile absolute_path uri
         notebook_path",
    ),
    (
        ArgumentRole::COMMAND_LINE,
        "command cmd commands script code input chars",
    ),
    (ArgumentRole::EDITOR_VERB, "command mode"),
    (
        ArgumentRole::EDITS,
        "old_string oldstring old_str oldstr oldtext old_text old_content needle edits insert_line
         insert_text start_line end_line startline endline line_start line_end line_number",
    ),
    (ArgumentRole::APPENDS, "append"),
    (
        ArgumentRole::CONTENT,
        "content contents file_text text body code code_edit data markdown replacement
         replacement_text replace search old_string new_string oldstring newstring old_str
         new_str oldtext newtext old_text new_text old_content new_content needle repl edits
         changes new_source input",
    ),
    (
        ArgumentRole::PATCH,
        "patch patch_text patchtext diff unified_diff",
    ),
    (
        ArgumentRole::LINES,
        "line lines start_line end_line startline endline line_start line_end insert_line
         line_number line_range range",
    ),
    (
        ArgumentRole::DELAY,
        "delay delay_ms delay_seconds wait wait_ms wait_seconds wait_time sleep seconds
         milliseconds ms duration duration_ms duration_seconds timeout timeout_ms timeoutms
         timeout_seconds yield_time_ms yieldms block wait_up_to",
    ),
    (
        ArgumentRole::HANDLE,
        "id ids pid session process handle job task shell terminal limit tail offset
         max_output_tokens max_tokens filter",
    ),
    (
        ArgumentRole::MOVES,
        "direction scroll_direction delta_x delta_y deltax deltay scroll_x scroll_y key keys",
    ),
    (
        ArgumentRole::VERB,
        "action operation command method mode op verb",
    ),
    (
        ArgumentRole::BACKGROUND,
        "background is_background isbackground run_in_background detach detached",
    ),
    (ArgumentRole::ASKS, "question questions"),
    (
        ArgumentRole::POINT,
        "x y coordinate coordinates start_coordinate end_coordinate position point",
    ),
];

/// Programs that a command line runs, and options that are followed by a command.
pub(super) const PROGRAMS: &[(Program, &str)] = &[
    (
        Program::LooksUp,
        "ls dir tree cat bat head tail less more grep egrep pgrep fgrep rg ag ack find fd locate which
         where type tac nl wc awk strings stat file od xxd hexdump zcat get-content get-childitem
         select-string gc gci findstr",
    ),
    (Program::PrintsWhenToldTo, "sed"),
    (Program::Compares, "diff cmp"),
    (Program::ChangesDirectory, "cd pushd set-location"),
    (Program::ChangesShell, "popd export source alias unset"),
    (
        Program::RunsAnother,
        "git bash sh zsh cmd powershell -c -lc /c sudo time timeout env",
    ),
    (
        Program::Sleeps,
        "sleep start-sleep write_stdin settimeout usleep --watch --wait",
    ),
    (Program::Prints, "echo printf write-output write-host"),
    (
        Program::Requests,
        "docker podman curl wget http https xh gh glab invoke-restmethod invoke-webrequest iwr",
    ),
    (
        Program::Acts,
        "post put patch delete create comment merge -d --data --data-raw --data-binary --json
         --post-data",
    ),
    (
        Program::Steps,
        "next n step s continue c stepi si nexti ni finish until step-over step-in step-out",
    ),
];

/// Words of results. Of Chinese, Japanese and Korean, whose words are not looked for, two characters.
pub(super) const RESULTS: &[(ResultWord, &str)] = &[
    (
        ResultWord::ERROR,
        "error errors err failed fails fail failure exception traceback cannot unable denied
         rejected refused invalid missing wrong unknown unexpected unsupported aborted timeout
         forbidden unauthorized illegal incorrect fatal panic panicked disallowed blocked
         required disabled unavailable unreachable 错误 失败 无法 拒绝 不存 找不 失敗 エラ 오류
         에러 실패 거부 fehler fehlgeschlagen verweigert ungültig unbekannt unmöglich erreur erreurs échec échoué
         impossible refusé refusée invalide inconnu introuvable errores falló fallo fallido denegado inválido
         desconocido imposible erro erros falha falhou negado desconhecido impossível ошибка ошибки отказано
         недопустимый неизвестный невозможно сбой",
    ),
    (
        ResultWord::ERROR_AFTER_NOT,
        "been allowed permitted recognized recognised supported valid available appear read
         defined within connected running installed configured enabled ready found exist exists
         match matched clickable visible accessible reachable responding executed gefunden
         vorhanden encontrado encontrada найден найдена найдено существует удалось",
    ),
    (
        ResultWord::FRUITLESS_AFTER_NOT,
        "found exist exists match matched gefunden vorhanden encontrado encontrada найден найдена найдено
         существует",
    ),
    (ResultWord::NOTHING, "未找 没找 没有 无匹 无结 ませ 없습 없음 않습 introuvable"),
    (
        ResultWord::FRUITLESS_AFTER_NO,
        "such matches match matching results result files file entries items hits occurrences
         data output problem problems issue issues warnings treffer
         ergebnisse dateien résultat résultats correspondance fichier resultado resultados
         coincidencias encontrado encontró encontraron existe arquivos результатов совпадений",
    ),
    (ResultWord::ERROR_AFTER_NO, "such existe"),
    (
        ResultWord::UNCHANGED_AFTER_NO,
        "change changes edit edits modification modifications replacement replacements",
    ),
    (
        ResultWord::TELLS_PLACES,
        "match matches matched occurrence occurrences occurs ambiguous multiple unique nothing",
    ),
    (
        ResultWord::ACKNOWLEDGES,
        "success successful successfully succeeded updated created saved written wrote modified
         closed launched applied added deleted removed installed done ok okay passed edited
         replaced moved renamed captured took taken sent submitted uploaded 成功 完成 已更 已保 已创 已写 已执 完了 保存 성공
         완료 저장 erfolgreich gespeichert erstellt aktualisiert gelöscht succès enregistré créé supprimé
         éxito guardado creado actualizado eliminado sucesso salvo criado atualizado excluído успешно
         сохранено сохранён создан создано обновлено удалено",
    ),
    (
        ResultWord::SAYS_NOTHING,
        "empty no none null output content command process exited executed completed the with exit code status
         returncode exitcode stdout stderr metadata duration seconds wall time result",
    ),
    (
        ResultWord::BEFORE_CHANGING_NUMBER,
        "ref uid pid pgid ppid process group id port attempt try retry moves turn turns screenshot took elapsed duration time
         timestamp age uptime session request read repeated call handle terminal task job thread
         shell seconds ms",
    ),
    (
        ResultWord::AFTER_CHANGING_NUMBER,
        "times ns us ms s sec secs second seconds min mins minute minutes hr hrs hour hours ago
         characters chars",
    ),
    (
        ResultWord::NAMED_BY_NUMBER,
        "id session request task job thread handle",
    ),
    (
        ResultWord::USER,
        "user human person operator approval approver question questions 用户",
    ),
    (
        ResultWord::OF_USER,
        "rejected denied declined refused answered responded replied cancelled canceled
         interrupted skipped dismissed approved chose selected feedback want wants said says
         stopped aborted allow 拒绝 取消",
    ),
    (ResultWord::BY, "by"),
    (
        ResultWord::STILL,
        "still 仍在 还在 正在 まだ 아직 noch encore todavía aún ainda ещё еще",
    ),
    (ResultWord::YET, "yet"),
    (ResultWord::NOT_YET, "尚未 还没 未完"),
    (
        ResultWord::GOES_ON,
        "running waiting pending processing building executing downloading queued progress
         starting working 运行 执行 等待 处理 下载 构建 排队 进行 実行 処理 待機 실행 대기 진행 처리 läuft ausgeführt
         bearbeitung cours curso exécution ejecutando progreso andamento execução",
    ),
    (
        ResultWord::GOING_ON,
        "containercreating podinitializing provisioning initializing terminating 行中 理中 待中 機中 载中 建中 중입
         выполняется ожидание",
    ),
    (ResultWord::IN, "in en em"),
    (
        ResultWord::PROGRESS,
        "progress bearbeitung cours curso exécution progreso andamento execução",
    ),
    (
        ResultWord::ROAD,
        "econnreset etimedout overloaded overload ratelimit ratelimited throttled",
    ),
    (
        ResultWord::ROAD_FIRST,
        "rate again connection many service gateway bad temporarily",
    ),
    (
        ResultWord::ROAD_SECOND,
        "limit limited limits later reset requests unavailable timeout gateway",
    ),
    (ResultWord::REFERENCE, "ref uid"),
    (ResultWord::PROCESS, "process"),
    (ResultWord::HTTP, "http https"),
    (ResultWord::SHELL, "bash sh zsh dash"),
    (ResultWord::LINE, "line"),
    (ResultWord::SINCE, "since"),
    (
        ResultWord::NEGATES,
        "without never not t no nicht não не kein keine aucun aucune ningún ninguna nenhum nenhuma нет",
    ),
    (ResultWord::NOT, "not t nicht não не"),
    (
        ResultWord::NO,
        "no kein keine aucun aucune ningún ninguna nenhum nenhuma нет",
    ),
    (ResultWord::TAKES_ERROR_BACK, "none null false"),
    (ResultWord::EXIT, "exit exited exitcode returncode"),
    (ResultWord::CODE, "code status state exitcode returncode"),
];
