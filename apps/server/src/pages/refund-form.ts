/** The form of `/refund`: the payer names where money should return to (Y32), also without JavaScript. */
import { ApiError } from '@kassa/contract/kit/api-error.ts'
import { NewRefundClaim } from '@kassa/contract/refund-claims/schemas.ts'

import type { Context } from '../context.ts'
import type { Refused } from './checkout-question.ts'

export type TypedClaim = { readonly blockchainCode: string; readonly address: string }

/** Stores a claim. @throws the errors of claiming a refund */
export type RefundClaimed = (ctx: Context, reference: string, claim: TypedClaim) => Promise<unknown>

/** Reads the form; what is missing is empty. */
export function readClaim({ blockchainCode, address }: Readonly<Record<string, string>>): TypedClaim {
  return { blockchainCode: blockchainCode ?? '', address: (address ?? '').trim() }
}

/** Makes the claim; returns why it was refused, or null. @throws what no sentence in the form can help with */
export async function claimOrRefuse(
  ctx: Context,
  {
    claim,
    reference,
    typed,
  }: { readonly claim: RefundClaimed; readonly reference: string; readonly typed: TypedClaim },
): Promise<Refused | null> {
  if (!NewRefundClaim.safeParse(typed).success) {
    return { code: 'ADDRESS_INVALID', text: 'This is not a valid address on this network.' }
  }
  try {
    await claim(ctx, reference, typed)
    return null
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.status >= 500) throw thrown
    return { code: thrown.code, text: thrown.message }
  }
}
