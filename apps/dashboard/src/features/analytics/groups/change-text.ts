import { t } from '@lingui/core/macro'

/** What a figure did against the 30 days before, as the server tells it: `+12.5%`, `-3%`; nothing for `N/A` and what is empty. */
export type Change = { readonly direction: 'up' | 'down' | 'same'; readonly text: string }

/** Reads a change; `undefined` where there is none to tell. */
export function readChange(subtext: string): Change | undefined {
  const [, sign, share = ''] = /^([+-]?)(\d[\d.,]*\s?%)$/.exec(subtext.trim()) ?? []
  if (sign === undefined) return undefined
  if (/^0([.,]0+)?\s?%$/.test(share)) return { direction: 'same', text: t`As much as in the 30 days before` }
  return sign === '-'
    ? { direction: 'down', text: t`${share} less than in the 30 days before` }
    : { direction: 'up', text: t`${share} more than in the 30 days before` }
}
