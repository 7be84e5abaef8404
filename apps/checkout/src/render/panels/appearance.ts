import type { IconName } from '../markup/icons.ts'
import type { StateName } from '../rules.ts'

/** The kinds of message by colour (screens.md 1.4); each has a glyph, so that colour is never the only sign. */
export type Tone = 'neutral' | 'info' | 'progress' | 'success' | 'warning' | 'danger'

export const GLYPHS: Readonly<Record<Tone, string>> = {
  neutral: '●',
  info: '○',
  progress: '◐',
  success: '✓',
  warning: '!',
  danger: '✕',
}

export type Action =
  | 'back'
  | 'restart'
  | 'newer'
  | 'contact'
  | 'receipt'
  | 'refund'
  | 'explorer'
  | 'renew'
  | 'retry'
  | 'pay-instead'
  | 'pay-again'
  | 'already-paid'

/** How a state is drawn: `choose` as a form, `pay` with address and amount, `outcome` as a message. */
export type Appearance = {
  readonly panel: 'choose' | 'pay' | 'outcome'
  readonly tone: Tone
  readonly icon: IconName
  /** In reading order; the first of them that is possible becomes the primary button of an outcome. */
  readonly actions: readonly Action[]
}

/** How each state is drawn; the actions are those of the table of states (screens.md 3.43). */
export const APPEARANCE: Readonly<Record<StateName, Appearance>> = {
  choose: { panel: 'choose', tone: 'info', icon: 'dots', actions: [] },
  waiting: { panel: 'pay', tone: 'info', icon: 'clock', actions: ['already-paid'] },
  'network-behind': { panel: 'pay', tone: 'warning', icon: 'warning', actions: ['already-paid'] },
  'price-lapsed': {
    panel: 'outcome',
    tone: 'warning',
    icon: 'clock',
    actions: ['renew', 'retry', 'back', 'already-paid'],
  },
  detected: { panel: 'outcome', tone: 'progress', icon: 'dots', actions: ['explorer'] },
  confirming: { panel: 'outcome', tone: 'progress', icon: 'dots', actions: ['explorer'] },
  paid: { panel: 'outcome', tone: 'success', icon: 'tick', actions: ['back', 'receipt'] },
  overpaid: { panel: 'outcome', tone: 'success', icon: 'tick', actions: ['back', 'refund', 'contact', 'receipt'] },
  'partly-open': { panel: 'pay', tone: 'warning', icon: 'warning', actions: ['contact', 'already-paid'] },
  'partly-lapsed': {
    panel: 'outcome',
    tone: 'warning',
    icon: 'clock',
    actions: ['refund', 'contact', 'back', 'already-paid'],
  },
  expired: { panel: 'outcome', tone: 'neutral', icon: 'clock', actions: ['restart', 'contact', 'already-paid'] },
  'late-counted': { panel: 'outcome', tone: 'success', icon: 'tick', actions: ['back', 'refund', 'receipt'] },
  'late-held': { panel: 'outcome', tone: 'warning', icon: 'pause', actions: ['refund', 'contact'] },
  superseded: { panel: 'outcome', tone: 'neutral', icon: 'external', actions: ['newer', 'back', 'already-paid'] },
  cancelled: { panel: 'outcome', tone: 'neutral', icon: 'cross', actions: ['back', 'already-paid'] },
  'other-network': {
    panel: 'outcome',
    tone: 'warning',
    icon: 'warning',
    actions: ['refund', 'contact', 'pay-instead'],
  },
  'other-asset': { panel: 'outcome', tone: 'warning', icon: 'warning', actions: ['refund', 'contact', 'pay-instead'] },
  unapplied: { panel: 'outcome', tone: 'warning', icon: 'pause', actions: ['refund', 'contact', 'pay-instead'] },
  'on-hold': { panel: 'outcome', tone: 'warning', icon: 'pause', actions: ['contact'] },
  reverted: { panel: 'outcome', tone: 'warning', icon: 'warning', actions: ['pay-again', 'already-paid'] },
  unavailable: { panel: 'outcome', tone: 'warning', icon: 'warning', actions: ['retry', 'contact'] },
}
