/** Removal for people who lost a second factor: by an administrator, or by a person with a shell on the server (api.md O15). */
import { fail } from '@kassa/contract/kit/api-error.ts'

import type { Context } from '../../../context.ts'
import {
  changingMembers,
  findOperatorByEmail,
  getManaged,
  lockOperator,
  type OperatorRow,
} from '../../operators/accounts/service.ts'
import { dropFactors } from '../factors/service.ts'
import { endSessionsOf } from '../sessions/store.ts'
import { recordChange } from './changes.ts'

/**
 * Removes all second factors of a member and ends their sessions; does nothing for a member without one.
 * @throws MEMBER_NOT_FOUND, CANNOT_CHANGE_SELF, ROLE_ABOVE_YOURS
 */
export async function removeFactorsOf(ctx: Context, id: number): Promise<OperatorRow> {
  return changingMembers(ctx, async (tx) => {
    await getManaged(tx, id)
    const operator = (await lockOperator(tx, id)) ?? fail('MEMBER_NOT_FOUND')
    // An enrolment that was never confirmed is removed too.
    await dropFactors(tx, id)
    if (operator.second_factors.length === 0) return operator
    await endSessionsOf(tx, id)
    await recordChange(tx, id, 'all_removed')
    return { ...operator, second_factors: [] }
  })
}

/** Does the same for the operator with this e-mail, for the command line. @throws MEMBER_NOT_FOUND */
export async function removeFactorsByEmail(ctx: Context, email: string): Promise<{ readonly hadAny: boolean }> {
  const operator = (await findOperatorByEmail(ctx, email)) ?? fail('MEMBER_NOT_FOUND')
  await removeFactorsOf(ctx, operator.id)
  return { hadAny: operator.second_factors.length > 0 }
}
