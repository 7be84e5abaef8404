import { PAGE_CSS } from '../layout/style-page.ts'
import { sheetsOf } from '../layout/style.ts'

/** What only this page needs. */
const PROMOTER_CSS = `
.share { display: grid; grid-template-columns: 1fr; gap: 8px }
.share p { display: grid; min-inline-size: 0 }
.promoter-code { font: 600 1.75rem/2.25rem ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; letter-spacing: .06em }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 8px }
.tiles div { display: grid; gap: 2px; padding: 12px 14px; border: 1px solid var(--border); border-radius: 12px }
.tiles dt { color: var(--muted); font-size: .875rem; line-height: 1.25rem }
.tiles dd { font-size: 1.125rem; line-height: 1.5rem; font-weight: 600 }
.part { display: grid; gap: 8px }
.part ul { display: grid; gap: 8px }
.part .small { display: block }
.part li > span + span { margin-inline-start: auto; text-align: end }
.withdraw { border-block-start: 1px solid var(--border); padding-block-start: 16px }
.withdraw .button { justify-self: start }
.withdraw [aria-busy] { cursor: progress; opacity: .6 }
.spelled { font: 500 1rem/1.75rem ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.spelled span, .grouped span { white-space: nowrap; padding-inline-end: .5em }
@media (min-width: 640px) { .share { grid-template-columns: 1fr auto auto; align-items: center } .share > #copy-code, .share > :has(+ #share[hidden]) { grid-column: 2/-1 } }
`

/** The style of this page: the checkout's own rules would be most of what it weighs. */
export const PROMOTER_SHEETS = sheetsOf(PAGE_CSS + PROMOTER_CSS)
