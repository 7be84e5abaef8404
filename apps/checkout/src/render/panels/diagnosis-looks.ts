import type { DiagnosisVerdict } from '@kassa/contract/payments/diagnosis.ts'
import type { Action, Tone } from './appearance.ts'

/** How the diagnosis of a transaction is drawn, and what the payer can do next. */
export type DiagnosisLook = { readonly tone: Tone; readonly actions: readonly Action[] }

/** Every verdict a diagnosis can end with. */
export const DIAGNOSIS_LOOKS: Readonly<Record<DiagnosisVerdict, DiagnosisLook>> = {
  credited: { tone: 'success', actions: ['receipt'] },
  confirming: { tone: 'progress', actions: [] },
  pending: { tone: 'progress', actions: [] },
  chain_behind: { tone: 'info', actions: [] },
  wrong_network: { tone: 'warning', actions: ['contact'] },
  wrong_token: { tone: 'warning', actions: ['contact'] },
  wrong_address: { tone: 'danger', actions: ['contact'] },
  not_yours: { tone: 'warning', actions: [] },
  below_minimum: { tone: 'warning', actions: ['contact'] },
  failed_on_chain: { tone: 'danger', actions: ['pay-again'] },
  replaced: { tone: 'warning', actions: [] },
  held: { tone: 'warning', actions: ['contact'] },
  not_found: { tone: 'neutral', actions: [] },
}

/** What a transaction hash looks like, by family; a payment without a choice shows the most common kind. */
export const HASH_EXAMPLES: Readonly<Record<string, string>> = {
  ETH_Family: '0x9f3c…a01b',
  BTC_Family: '4a5e…33b',
  TRX_Family: '7c2d…6f95',
  SOL_Family: '5VER…vbV7',
}
