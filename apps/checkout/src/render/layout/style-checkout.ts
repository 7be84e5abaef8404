/** The rules that only the pages of a payment and of addresses need, after those of every page. */
export const CHECKOUT_CSS = `
.mark { inline-size: 2.5rem; block-size: 2.5rem; flex: none }
.chain { inline-size: 1.25rem; block-size: 1.25rem; flex: none; vertical-align: -.25rem }
.mark text, .chain text { fill: #fff; text-anchor: middle; font-weight: 600 }
.rim { fill: var(--surface) }
html[data-live] [data-noscript] { display: none }

.ribbon, .banner { padding: 6px 16px; text-align: center; font-size: .875rem; line-height: 1.25rem; font-weight: 500; background: var(--warning-tint); color: var(--warning-text); border-block-end: 1px solid var(--warning-line) }
.banner { background: var(--danger-tint); color: var(--danger-text); border-color: var(--danger-line) }
.foot { inline-size: 100%; max-inline-size: 45rem; margin: auto auto 0; padding: 16px 16px 24px; display: flex; flex-wrap: wrap; gap: 4px 20px; align-items: center; font-size: .8125rem; line-height: 1.25rem; color: var(--muted) }
.foot a { color: inherit; display: inline-block; padding-block: 6px }

.bill { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; min-block-size: 2rem; font-size: .9375rem; color: var(--muted) }
.bill b { color: var(--text); font-weight: 600 }
.bill + .about { margin-block-start: -12px }
.about { font-size: .9375rem; line-height: 1.375rem; max-inline-size: 60ch }
.about summary { position: relative; padding-inline-end: 1.25rem; list-style: none; cursor: pointer }
.about summary::-webkit-details-marker { display: none }
.about summary::after { content: '▾'; position: absolute; inset-inline-end: 0; inset-block-start: 0; color: var(--muted) }
.about[open] summary::after { content: '▴' }
.about:not([open]) summary bdi { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; text-align: left }
[dir=rtl] .about:not([open]) summary bdi { text-align: right }
[data-state=choose] .bill b { font-size: 2.25rem; line-height: 2.625rem; letter-spacing: -.02em }
[data-state=choose] h1 { font-size: 1.125rem; line-height: 1.5rem }
.clock { margin-inline-start: auto; display: inline-flex; align-items: center; gap: 6px; padding: 3px 10px 3px 7px; border-radius: 99px; background: var(--sunken); color: var(--text); font-size: .875rem; line-height: 1.25rem; font-weight: 500; white-space: nowrap }
.clock .icon { inline-size: 1rem; block-size: 1rem }
.clock[data-soon] { background: var(--warning-tint); color: var(--warning-text) }

.actions form, .actions form .primary { flex: auto; min-inline-size: min(12rem, 100%) }
.actions form { display: flex }
.quiet { border-color: transparent; color: var(--link); padding-inline: 8px; text-decoration: underline; text-underline-offset: 2px }
.icon-only { padding: 0; inline-size: 2.75rem; flex: none }

.options { display: grid; gap: 16px }
.asset { display: grid; gap: 8px }
.asset:not(:has(.option:not([hidden]))) { display: none }
.asset h2 bdi { font-weight: 400; color: var(--muted) }
.option { position: relative; display: grid; grid-template-columns: auto auto 1fr auto; align-items: center; gap: 0 12px; min-block-size: 4rem; padding: 10px 14px 10px 12px; border: 1px solid var(--control); border-radius: 12px; cursor: pointer }
.option:hover { background: var(--sunken) }
.option input { appearance: none; flex: none; inline-size: 1.25rem; block-size: 1.25rem; margin: 0; border: 1.5px solid var(--control); border-radius: 50%; background: var(--surface) }
.option input:checked { border: 6px solid var(--text) }
.option input::after { content: ''; position: absolute; inset: -1px; border-radius: 12px; pointer-events: none }
.option input:checked::after { box-shadow: inset 0 0 0 2px var(--text) }
.option input:focus-visible { outline: 0 }
.option input:focus-visible::after { outline: 2px solid var(--focus); outline-offset: 2px }
.option > input, .option .mark { grid-row: 1 / span 2 }
.option .what { font-weight: 500 }
.option .cost { text-align: end; font-size: .9375rem }
.option .terms { grid-column: 3 / -1; font-size: .875rem; line-height: 1.25rem; color: var(--muted) }
.option.off { cursor: not-allowed; background: var(--sunken); border-style: dashed }
.option.off .mark { opacity: .5 }
.input[aria-invalid] { border-color: var(--danger-text) }

.due { display: grid; grid-template-columns: auto 1fr auto; gap: 4px 12px; align-items: center }
.due h1 { font-size: 1rem; line-height: 1.5rem; font-weight: 500; letter-spacing: 0 }
.due h1 > bdi.nw { display: block; font-size: 2.25rem; line-height: 2.625rem; font-weight: 600; letter-spacing: -.02em; white-space: normal }
.due.long h1 > bdi.nw { font-size: 1.5rem; line-height: 2rem }
.due h1 > bdi.nw { inline-size: fit-content; max-inline-size: 100% }
.due .mark { inline-size: 3rem; block-size: 3rem }
.due .icon-only { align-self: start; margin-block-start: .375rem }
.due + .change { margin-block-start: -3.125rem }
.change summary { display: flex; margin-inline-start: auto; inline-size: fit-content; align-items: center; min-block-size: 2.75rem; padding-inline: 2px; color: var(--link); text-decoration: underline; text-underline-offset: 2px; cursor: pointer }
.mail summary { margin-inline-start: 0 }
.change[open] > :not(summary) { margin-block: 4px 8px }
.mail summary { margin-inline-start: 0 }
.mail .button { inline-size: 100% }
.pay { display: grid; gap: 16px }
.to { display: grid; gap: 8px; align-content: start }
.to-row { display: flex; gap: 12px; align-items: center }
.address { flex: 1; min-inline-size: 0; font: 500 1.0625rem/1.75rem ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-feature-settings: 'zero'; user-select: all; -webkit-user-select: all }
.address span { white-space: nowrap; padding-inline-end: .5em }
.address .edge { font-weight: 700 }
.code { display: grid; gap: 10px; justify-items: center; align-content: start }
.tabs { display: inline-flex; padding: 3px; gap: 2px; border-radius: 10px; background: var(--sunken) }
.tabs label { position: relative; display: grid; place-items: center; min-block-size: 2.375rem; padding-inline: 14px; border-radius: 8px; font-size: .875rem; font-weight: 500; cursor: pointer }
.tabs input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer }
.tabs label:has(:checked) { background: var(--surface); box-shadow: 0 1px 2px #0000001f }
.tabs label:has(:focus-visible) { outline: 2px solid var(--focus); outline-offset: 2px }
.tabs a { display: grid; place-items: center; min-block-size: 2.375rem; padding: 4px 14px; border-radius: 8px; font-size: .875rem; font-weight: 500; color: inherit; text-align: center; text-decoration: none }
.tabs [aria-current] { background: var(--surface); box-shadow: 0 1px 2px #0000001f }
nav.tabs { justify-self: start }
.addresses { margin: 0; padding-inline-start: 2rem; line-height: 1.75 }
.sent:not(:empty) { display: grid; gap: 12px; padding: 16px 16px 4px }
.sent > div { display: grid; gap: 8px }
.sent .actions { margin-block-start: 8px }
html[data-sent] :is(.clock, .due, .due ~ .change, .pay, .card:has(.due) ~ .status, .wallet, #copy-rest, [data-with-wallet]) { display: none }
.sent h1 { font-size: 1.25rem; text-wrap: balance }
.wallet { display: grid; gap: 12px; margin: 0 16px }
.wallet:has(> #wallet-steps:not(:empty)), html[data-wallet] .wallet:has(*) { padding-block-end: 16px }
.wallet .actions .button { justify-self: start }
html:not([data-wallet]) :is(#pay-with-wallet, [data-with-wallet]) { display: none }
.wallet img { border-radius: 6px }
.button:disabled { border-color: var(--border); color: var(--muted); cursor: not-allowed; background: none }
.code:has(#by-address:checked) .by-link, .code:has(#by-link:checked) .by-address { display: none }
.by { display: grid; gap: 8px; justify-items: center; text-align: center; max-inline-size: 17rem }
.frame { position: relative; display: grid; padding: 4px; border: 1px solid var(--border); border-radius: 12px; background: #fff }
.qr { display: block; inline-size: 13.5rem; block-size: auto; max-inline-size: 100% }
.badge { display: inline-flex; align-items: center; gap: 6px; font-size: .875rem; font-weight: 500 }
.note.plain { border-color: var(--info-line); background: var(--info-tint); color: var(--info-text) }
.note.alert { border-color: var(--danger-line); background: var(--danger-tint); color: var(--danger-text) }
.hints { display: grid; gap: 4px; font-size: .8125rem; line-height: 1.25rem; color: var(--muted) }
.only-touch { display: none }
.apps > :not(summary) { margin-block-start: 8px }
.apps summary { list-style: none }
.apps summary::-webkit-details-marker { display: none }
@media (pointer: coarse) { .only-touch { display: inline-flex } .apps { display: block } .apps summary { display: flex } html[data-wallet] .apps, .to:has(a.only-touch) ~ .code .by-link > .button { display: none } }
@media (pointer: coarse) and (max-width: 639.98px) { .code { order: 1 } .hints { order: 2 } .qr { inline-size: 10rem } html[data-wallet] .code { display: none } }
.after { display: flex; flex-wrap: wrap; gap: 0 20px; align-items: start; font-size: .875rem }
.ask { margin: 0 16px }
.ask:not(:empty) { padding-block-end: 12px }
.ask summary { font-size: .875rem }
.after a, .ask summary { display: inline-flex; align-items: center; min-block-size: 2.75rem; color: var(--link); text-decoration: underline; text-underline-offset: 2px; cursor: pointer }
.ask details > .muted { margin-block-end: 16px; max-inline-size: 60ch; font-size: .875rem; line-height: 1.375rem }
.ask .button { justify-self: start }
.ask [aria-busy] { cursor: progress; opacity: .6 }
#answer { padding-block: 12px }
#answer:empty { padding-block: 6px }
.verdict > div { display: grid; gap: 6px; min-inline-size: 0 }
.verdict h2 { color: var(--tone-text) }
.verdict .actions { margin-block-start: 6px }
.verdict .button { background: var(--surface) }
.compare { display: grid; gap: 2px }
.compare dt { color: var(--tone-text) }
.compare dd { margin-block-end: 4px }
mark { background: none; color: inherit; font-weight: 700; text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: 3px }

.outcome { display: grid; gap: 16px; padding-block: 16px 8px }
.disc { inline-size: 3rem; block-size: 3rem; display: grid; place-items: center; border-radius: 50%; border: 1px solid var(--tone-line); background: var(--tone-tint); color: var(--tone-text) }
.disc .icon { inline-size: 1.5rem; block-size: 1.5rem; stroke-width: 2 }
.disc.tick path { stroke-dasharray: 20; animation: draw .3s ease-out }
@keyframes draw { from { stroke-dashoffset: 20 } }
.outcome:first-child { padding-block-start: 4px }
.words { display: grid; gap: 4px; max-inline-size: 34rem }
.neutral { --tone-text: var(--neutral-text); --tone-tint: var(--neutral-tint); --tone-line: var(--neutral-line) }
.progress { --tone-text: var(--progress-text); --tone-tint: var(--progress-tint); --tone-line: var(--progress-line) }
.success { --tone-text: var(--success-text); --tone-tint: var(--success-tint); --tone-line: var(--success-line) }
.danger { --tone-text: var(--danger-text); --tone-tint: var(--danger-tint); --tone-line: var(--danger-line) }
progress { appearance: none; inline-size: 100%; block-size: 6px; border: 0; border-radius: 3px; overflow: hidden; background: var(--sunken); color: var(--progress-text) }
progress::-webkit-progress-bar { background: var(--sunken) }
progress::-webkit-progress-value { background: var(--progress-text); border-radius: 3px }
progress::-moz-progress-bar { background: var(--progress-text); border-radius: 3px }
.deposit-status { display: block; font-size: .875rem; line-height: 1.25rem }
.rows dd a { display: inline-flex; align-items: center; gap: 4px; font-weight: 400; min-block-size: 1.5rem }
.rows dd .icon { inline-size: 1rem; block-size: 1rem }

@media (max-width: 639.98px) {
main:has(.due) { display: grid; gap: 16px; padding: 8px 16px 16px }
main:has(.due) > .card { display: contents }
main:has(.due) > :is(.status, .sent, .wallet, .ask) { min-block-size: 0; margin: 0; padding: 0; border: 0 }
.due ~ :not(.change), main:has(.due) > :is(.wallet, .ask) { order: 1 }
.compact main:has(.due) { gap: 10px }
}
@media (min-width: 640px) {
.ask, .wallet { margin-inline: 24px }
.sent:not(:empty) { padding: 20px 24px 0 }
.foot { padding-inline: 4px }
.due h1 > bdi.nw { font-size: 2.75rem; line-height: 3.25rem }
.due.long h1 > bdi.nw { font-size: 1.75rem; line-height: 2.25rem }
.pay { grid-template: auto auto 1fr / auto 1fr; gap: 16px 28px }
.pay .code { grid-column: 1; grid-row: 1 / span 3 }
.pay > :not(.code) { grid-column: 2 }
.pay .hints { align-content: start }
.outcome { padding-block: 24px 12px }
.outcome:first-child { padding-block-start: 4px }
}

.compact { background: var(--surface) }
.compact main { max-inline-size: none; border: 0; border-radius: 0; box-shadow: none }
.compact .card { padding-block: 8px; gap: 10px }
.compact .due h1 > bdi.nw { font-size: 1.75rem; line-height: 2.125rem }
.compact .due.long h1 > bdi.nw { font-size: 1.25rem; line-height: 1.75rem }
.compact .due .mark { display: none }
.compact .due { grid-template-columns: 1fr auto }
.compact .qr { inline-size: 10rem }
.compact .status { margin-block-start: auto; min-block-size: 3rem; padding-block: 8px; position: static }
.compact .pay { gap: 10px 20px }
.compact .outcome { padding-block: 8px }
.screen { background: var(--surface); font-size: 1.25rem }
.screen .head, .screen main { max-inline-size: 80rem }
.screen .head { padding: 16px 24px; font-size: 1.5rem }
.screen .logo { inline-size: 3rem; block-size: 3rem; font-size: 1.25rem }
.screen .card { padding-block: 8px 16px }
.screen .bill, .screen .clock, .screen .note, .screen .badge, .screen h2 { font-size: 1.25rem; line-height: 1.75rem }
.screen .about { font-size: 1.25rem; line-height: 1.75rem }
.screen [data-state=choose] .bill b { font-size: 3.5rem; line-height: 4rem }
.screen main { margin-block: auto; border: 0; border-radius: 0; box-shadow: none; background: none }
.screen .due h1 { font-size: 1.5rem; line-height: 2rem }
.screen .due h1 > bdi.nw, .screen .due.long h1 > bdi.nw { font-size: clamp(2.5rem, 8vw, 6rem); line-height: 1.1 }
.screen .qr { inline-size: min(26rem, 42vh, 80vw) }
.screen .by { max-inline-size: none }
.screen .address { font-size: 1.5rem; line-height: 2.25rem }
.screen .status { font-size: 1.5rem }
.screen .change, .screen .ask, .screen .wallet, .screen .hints, .screen .tabs, .screen .icon-only, .screen .only-touch, .screen .by-link > .button { display: none }
@media (max-width: 22rem) { .due.long h1 > bdi.nw { font-size: 1.25rem; line-height: 1.75rem } .bill { font-size: .875rem } .due .mark { display: none } .due { grid-template-columns: 1fr auto } }
@media (prefers-reduced-motion: reduce) { .disc.tick path { animation: none } }
@media (forced-colors: active) { .option input:checked { border-color: Highlight } .tabs label:has(:checked) { outline: 2px solid Highlight } .mark, .chain { forced-color-adjust: none } }
@media print { .foot, .after, .ribbon, .sent, .wallet, .ask, .mail { display: none } }
`
