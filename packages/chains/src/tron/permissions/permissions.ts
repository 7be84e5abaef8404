import type { Permissions } from '../../adapter.ts'
import { isAllowed } from './allowance.ts'
import { checkSignature } from './check.ts'
import { compose } from './compose.ts'

/**
 * Permissions of accounts of TRON. Each is a transaction that the address sends itself: an approval of a token, or a transfer
 * of TRX. TRON has no delegation, so nothing is signed in advance, and no permission is `offered`.
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
