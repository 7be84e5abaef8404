import type { Permissions } from '../../adapter.ts'
import { isAllowed } from './allowance.ts'
import { checkSignature } from './check.ts'
import { compose } from './compose.ts'

/**
 * Permissions of accounts of TRON, each a transaction that the address sends itself: an approval of a token, a transfer of TRX. TRON
 * has no delegation, so nothing is signed ahead and nothing is offered that the chain does not hold.
 */
export const tronPermissions: Permissions = {
  compose,
  ahead: () => [],
  check: checkSignature,
  validity: async (session, { token, vault }, { permission: { from } }) => {
    const isGiven = token !== null && (await isAllowed(session, { token, vault, owner: from }))
    return isGiven ? 'given' : 'absent'
  },
}
