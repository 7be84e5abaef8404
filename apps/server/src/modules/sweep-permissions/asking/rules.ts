import type { PermissionKind } from '@kassa/contract/sweeps/machine.ts'
import type { SignatureRefusal } from '@kassa/contract/sweeps/reasons.ts'
import type { GAS_STATES } from '@kassa/contract/sweeps/approval-schemas.ts'

/** The wire's name of each fault of a signature. */
type Refused = {
  readonly fault: string
  readonly found: string
  readonly expected: { readonly from: string; readonly nonce: number }
}

/** Says why a signature is refused. */
export function refusalOf({ fault, found, expected }: Refused): SignatureRefusal {
  switch (fault) {
    case 'unreadable':
    case 'signature':
      return { code: 'UNREADABLE', params: {} }
    case 'signer':
      return { code: 'WRONG_SIGNER', params: { expected: expected.from, found } }
    case 'chain':
      return { code: 'WRONG_NETWORK', params: {} }
    case 'nonce':
      return { code: 'WRONG_NONCE', params: { expected: expected.nonce, found: Number(found) } }
    default:
      return { code: 'WRONG_CALL', params: {} }
  }
}

/** Whether an address that signs a transaction has its gas. */
export function gasStateOf(topUp: {
  readonly units: bigint
  readonly isSent: boolean
  readonly isFinal: boolean
}): (typeof GAS_STATES)[number] {
  if (topUp.units === 0n) return 'none'
  if (topUp.isFinal) return 'confirmed'
  return topUp.isSent ? 'sent' : 'needed'
}

/** What an address will probably sign; when it is asked, its token and account decide. */
export function likelyKind(isNative: boolean, isTron: boolean): PermissionKind {
  if (!isNative) return 'approve_tx'
  return isTron ? 'transfer_tx' : 'authorization'
}
