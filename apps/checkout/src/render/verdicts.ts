import type { DiagnosisVerdict } from '@kassa/contract/payments/diagnosis.ts'
import type { Action, Tone } from './appearance.ts'

/** How a verdict of Y9 is drawn: its name, and what helps next. The sentence itself comes with the verdict. */
export type VerdictLook = { readonly title: string; readonly tone: Tone; readonly actions: readonly Action[] }

/** The verdicts of screens.md 3.43. */
export const VERDICTS: Readonly<Record<DiagnosisVerdict, VerdictLook>> = {
  credited: { title: 'Found, and counted', tone: 'success', actions: ['receipt'] },
  confirming: { title: 'Found, and being confirmed', tone: 'progress', actions: [] },
  pending: { title: 'On its way', tone: 'progress', actions: [] },
  chain_behind: { title: 'Not read yet: that is on our side', tone: 'info', actions: [] },
  wrong_network: { title: 'On another network', tone: 'warning', actions: ['contact'] },
  wrong_token: { title: 'Another currency', tone: 'warning', actions: ['contact'] },
  wrong_address: { title: 'To another address', tone: 'danger', actions: ['contact'] },
  not_yours: { title: 'For another request', tone: 'warning', actions: [] },
  below_minimum: { title: 'Below the minimum', tone: 'warning', actions: ['contact'] },
  failed_on_chain: { title: 'Rejected by the network', tone: 'danger', actions: ['pay-again'] },
  held: { title: 'Found, and held', tone: 'warning', actions: ['contact'] },
  not_found: { title: 'Not found yet', tone: 'neutral', actions: [] },
}

/** What a transaction hash looks like, by family; a payment without a choice shows the most common kind. */
export const HASH_EXAMPLES: Readonly<Record<string, string>> = {
  ETH_Family: '0x9f3c…a01b',
  BTC_Family: '4a5e…33b',
  TRX_Family: '7c2d…6f95',
  SOL_Family: '5VER…vbV7',
}
