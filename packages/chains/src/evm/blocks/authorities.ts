import { authorityOf, type SignedAuthorization } from '@kassa/keys/evm/authorization.ts'

import type { AddressKey } from '../../adapter.ts'
import { fromHex } from '../encoding/hex.ts'
import { hexBytes, type Json, list, object, quantity } from '../encoding/wire.ts'

/** The type of a transaction that sets the code of accounts (EIP-7702). */
const SETS_CODE = '0x4'

/**
 * Lists the accounts whose code this transaction sets (EIP-7702). Each account has signed for itself, and no other field names
 * it. Null when a signature cannot be read, so that nobody knows whose it is.
 */
export function authoritiesIn(transaction: Json): readonly AddressKey[] | null {
  if (transaction['type'] !== SETS_CODE) return []
  try {
    const authorities = list(transaction['authorizationList'], 'authorizationList').map((one) =>
      authorityOf(readAuthorization(object(one, 'authorization'))),
    )
    return authorities.includes(null) ? null : authorities.map((authority) => fromHex(authority ?? '0x'))
  } catch {
    return null
  }
}

function readAuthorization(authorization: Json): SignedAuthorization {
  const number = (name: string) => quantity(authorization[name], name)
  return {
    ...{ chainId: number('chainId'), address: hexBytes(authorization['address'], 'address'), nonce: number('nonce') },
    ...{ yParity: Number(number('yParity')), r: number('r'), s: number('s') },
  }
}
