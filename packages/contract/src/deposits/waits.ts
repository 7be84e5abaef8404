import { type CodeOf, sentence } from '../kit/reason.ts'

/** Why a deposit that is deep enough is not final (money.md 2.8). */
export const DEPOSIT_WAITS = {
  second_node_silent: sentence(
    'A second node must agree because of the amount, and none answers now. It is asked again.',
  ),
  second_node_behind: sentence(
    'Two nodes must call its block final because of the amount, and one does not yet. It is asked again.',
  ),
} as const

export type DepositWait = CodeOf<typeof DEPOSIT_WAITS>
