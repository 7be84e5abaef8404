/** The rules of every page here, below the tokens. Logical properties only: right-to-left languages mirror them as they stand. */
export const PAGE_CSS = `
*, *::before, *::after { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { margin: 0; padding: 0 env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left); min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column; background: var(--surface); color: var(--text); font: 400 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
h1, h2, p, dl, dd, ul, figure, fieldset { margin: 0; padding: 0; border: 0 }
h1 { font-size: 1.375rem; line-height: 1.75rem; font-weight: 600; letter-spacing: -.01em }
h1:focus { outline: none }
h2 { font-size: .875rem; line-height: 1.25rem; font-weight: 600 }
ul { list-style: none }
a { color: var(--link); text-underline-offset: 2px }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px }
[hidden] { display: none !important }
.nw { white-space: nowrap }
.gap { margin-inline-start: .16em }
.vh { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.muted { color: var(--muted) }
.small { font-size: .875rem; line-height: 1.25rem }
.icon { inline-size: 1.25rem; block-size: 1.25rem; flex: none; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round }
html:not([data-live]) [data-script] { visibility: hidden }
@media (scripting: none) { [data-script] { display: none !important } }

.head, main { inline-size: 100%; max-inline-size: 45rem; margin-inline: auto }
.head { display: flex; flex-wrap: wrap; align-items: center; gap: 12px; padding: 12px 16px; font-weight: 600 }
.head .name { flex: 1 1 6rem; min-inline-size: 0 }
.menu { position: relative; font-weight: 400; font-size: .875rem }
.menu summary { display: flex; align-items: center; justify-content: center; gap: 4px; min-inline-size: 2.75rem; min-block-size: 2.75rem; border-radius: 8px; list-style: none; cursor: pointer }
.menu summary::-webkit-details-marker { display: none }
#languages summary::after { content: '▾' }
.menu summary:hover { background: var(--sunken) }
.menu + .menu { margin-inline-start: -8px }
.menu nav { position: absolute; z-index: 1; inset-inline-end: 0; inset-block-start: 100%; display: grid; min-inline-size: 10rem; max-block-size: min(24rem, 70vh); overflow: auto; padding: 4px; border: 1px solid var(--border); border-radius: 12px; background: var(--surface); box-shadow: 0 4px 16px #00000024 }
.menu a { display: flex; align-items: center; min-block-size: 2.5rem; padding-inline: 12px; border-radius: 8px; color: inherit; text-decoration: none }
.menu a:hover { background: var(--sunken) }
.menu [aria-current] { font-weight: 600; background: var(--selected) }
.logo { inline-size: 2rem; block-size: 2rem; flex: none; border-radius: 8px; object-fit: contain }
.initials { display: grid; place-items: center; background: var(--brand); color: var(--on-brand); border: 1px solid var(--brand-edge); font-size: .875rem; font-weight: 600 }
.card { background: var(--surface); padding: 8px 16px 16px; display: grid; gap: 16px }
.status { display: flex; align-items: center; gap: 10px; min-block-size: 3.5rem; margin: 0 16px; padding: 12px 0; border-block-start: 1px solid var(--border); font-weight: 500 }
.status::before { content: attr(data-glyph); flex: none; font-size: 1.125rem; line-height: 1 }

.button { appearance: none; display: inline-flex; align-items: center; justify-content: center; gap: 8px; min-block-size: 2.75rem; padding: 8px 16px; border: 1px solid var(--control); border-radius: 8px; background: transparent; color: var(--text); font: inherit; font-weight: 500; text-decoration: none; text-align: center; cursor: pointer; transition: background-color .12s }
.button:hover { background: var(--sunken) }
.primary { background: var(--brand); color: var(--on-brand); border-color: var(--brand-edge); min-block-size: 3rem; font-weight: 600 }
.primary:hover { background: var(--brand); filter: brightness(.94) }
[data-copy] { position: relative }
[data-done]::before, [data-undone]::before { position: absolute; z-index: 1; inset-block-end: calc(100% + 6px); inset-inline-end: 0; padding: 4px 10px; border-radius: 8px; background: var(--text); color: var(--surface); font-size: .875rem; line-height: 1.25rem; font-weight: 500; white-space: nowrap; content: attr(data-done); content: attr(data-done) / '' }
[data-undone]::before { content: attr(data-undone); content: attr(data-undone) / '' }
[data-done], [data-done]:hover { border-color: var(--success-line); background: var(--success-tint); color: var(--success-text) }
[data-done]::after { content: '✓'; font-weight: 700 }
[data-done] > .icon { display: none }
.actions { display: flex; flex-wrap: wrap; gap: 12px; align-items: center }
.actions > .primary { flex: auto; min-inline-size: min(12rem, 100%) }

.input { inline-size: 100%; min-block-size: 2.75rem; padding: 8px 12px; border: 1px solid var(--control); border-radius: 8px; background: var(--surface); color: inherit; font: inherit }
.input.mono { font-size: 1rem }
.field { display: grid; gap: 4px }
.field label { font-size: .875rem; font-weight: 500 }
.hint { font-size: .8125rem; line-height: 1.25rem; color: var(--muted) }
.stack { display: grid; gap: 16px }
.stack > .primary { inline-size: 100% }
.note { display: flex; gap: 10px; padding: 10px 12px; border: 1px solid var(--warning-line); border-radius: 8px; background: var(--warning-tint); color: var(--warning-text); font-size: .875rem; line-height: 1.375rem }
.verdict { display: flex; gap: 12px; padding: 12px 14px; border: 1px solid var(--tone-line); border-radius: 12px; background: var(--tone-tint); color: var(--text); font-size: .875rem; line-height: 1.375rem }
.verdict::before { content: attr(data-glyph); flex: none; color: var(--tone-text); font-weight: 700 }
.info { --tone-text: var(--info-text); --tone-tint: var(--info-tint); --tone-line: var(--info-line) }
.warning { --tone-text: var(--warning-text); --tone-tint: var(--warning-tint); --tone-line: var(--warning-line) }
.status[class] { color: var(--tone-text) }
.rows { display: grid; border: 1px solid var(--border); border-radius: 12px; padding: 4px 16px }
.rows > div { display: flex; flex-wrap: wrap; gap: 0 16px; justify-content: space-between; padding-block: 10px }
.rows > div + div { border-block-start: 1px solid var(--border) }
.rows li { display: flex; flex-wrap: wrap; gap: 0 16px; justify-content: space-between; padding-block: 10px }
.rows li + li { border-block-start: 1px solid var(--border) }
.rows dt { color: var(--muted) }
.rows dd { text-align: end; min-inline-size: 0; margin-inline-start: auto; font-weight: 500 }
.mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: .875rem }

@media (max-width: 639.98px) { .actions > * { flex: auto } }
@media (min-width: 640px) {
body { background: var(--bg) }
.head { padding: 32px 4px 16px }
main { border: 1px solid var(--border); border-radius: 12px; background: var(--surface); box-shadow: 0 1px 2px #0000000d }
.card { padding: 20px 24px; background: none }
.status { margin-inline: 24px }
}
@media (min-width: 640px) and (min-height: 900px) { .head { padding-block-start: 56px } }
@media (max-width: 22rem) { .rows { padding-inline: 12px } }
@media (prefers-reduced-motion: reduce) { .button { transition: none } }
@media print { .actions, .status, .menu { display: none } body { background: #fff; color: #000 } }
`
