import { t } from '@lingui/core/macro'

/** What a figure did against the 30 days before. */
export type Change = {
  readonly direction: 'up' | 'down' | 'same'
  /** `12.5%` */
  readonly share: string
  /** In words. */
  readonly text: string
}

/** Reads a change as the server tells it, `+12.5%`, `-3%`; `undefined` for `N/A` and where there is none to tell. */
export function readChange(subtext: string): Change | undefined {
  const [, sign, share = ''] = /^([+-]?)(\d[\d.,]*\s?%)$/.exec(subtext.trim()) ?? []
  if (sign === undefined) return undefined
  if (/^0([.,]0+)?\s?%$/.test(share)) return { direction: 'same', share, text: t`As much as in the 30 days before` }
  return sign === '-'
    ? { direction: 'down', share, text: t`${share} less than in the 30 days before` }
    : { direction: 'up', share, text: t`${share} more than in the 30 days before` }
}
