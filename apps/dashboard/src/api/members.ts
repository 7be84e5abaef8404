import { accountRoutes } from '@kassa/contract/auth/account-routes.ts'
import { factorRoutes } from '@kassa/contract/auth/factor-routes.ts'
import { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'
import type { RouteCall } from '@kassa/contract/kit/route.ts'
import type { Invitation } from '@kassa/contract/operators/member-schemas.ts'
import { membersRoutes } from '@kassa/contract/operators/routes.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'
import { useChange } from './intent.ts'

export type NewMember = NonNullable<RouteCall<typeof accountRoutes.inviteMember>['body']>
export type MemberChange = NonNullable<RouteCall<typeof accountRoutes.changeMember>['body']>
export type RoleChoice = NonNullable<RouteCall<typeof membersRoutes.replaceRoles>['body']>

/** Where a member is signed in, the place used last first. */
export function memberSessionsQuery(id: number) {
  return queryOptions({
    queryKey: ['members', 'sessions', id],
    queryFn: ({ signal }) => call(accountRoutes.listMemberSessions, { params: { id } }, { signal }),
  })
}

/** Returns the functions that change members; each throws RequestError, and reads the lists again either way. */
export function useMemberChanges() {
  const once = useChange('members')
  const params = (id: number) => ({ params: { id } })
  return {
    invite: (member: NewMember): Promise<Invitation | null> =>
      once(member, async () => (await call(accountRoutes.inviteMember, { body: member })).invitation),
    sendAgain: (id: number): Promise<Invitation> =>
      once(['again', id], async () => (await call(accountRoutes.sendInvitation, params(id))).invitation),
    change: (id: number, body: MemberChange) =>
      once(['change', id, body], (idempotencyKey) =>
        call(accountRoutes.changeMember, { ...params(id), body }, { idempotencyKey }),
      ),
    changeRole: (id: number, body: RoleChoice) =>
      once([id, body], (idempotencyKey) =>
        call(membersRoutes.replaceRoles, { ...params(id), body }, { idempotencyKey }),
      ),
    revoke: (id: number) =>
      once(['revoke', id], (idempotencyKey) =>
        call(accountRoutes.revokeAccess, { ...params(id), body: {} }, { idempotencyKey }),
      ),
    activate: (id: number) =>
      once(['activate', id], (idempotencyKey) => call(membersRoutes.activateMember, params(id), { idempotencyKey })),
    remove: (id: number) =>
      once(['remove', id], (idempotencyKey) => call(accountRoutes.deleteMember, params(id), { idempotencyKey })),
    requireReset: (id: number) =>
      once(['reset', id], (idempotencyKey) => call(passwordRoutes.requireReset, params(id), { idempotencyKey })),
    removeFactor: (id: number) =>
      once(['factor', id], (idempotencyKey) => call(factorRoutes.removeSecondFactor, params(id), { idempotencyKey })),
    resetLink: (id: number, password: string) =>
      once(['link', id], () => call(passwordRoutes.issueResetLink, { ...params(id), body: { password } })),
    signOut: (id: number) =>
      once(['sign out', id], (idempotencyKey) => call(accountRoutes.endMemberSessions, params(id), { idempotencyKey })),
  }
}
