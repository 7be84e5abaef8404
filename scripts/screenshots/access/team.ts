/** The team of the shop: people with roles, one who has not come yet, one without access, and a role of the shop's own. */
import { accountRoutes } from '@kassa/contract/auth/account-routes.ts'
import { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { rolesRoutes } from '@kassa/contract/operators/role-routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'

import { apiOf } from '../../../e2e/api.ts'
import type { Shop } from '../../../e2e/shop.ts'

const PASSWORD = 'Another.Horse8'

/** The newest comes last: it stands at the top of the list, and its invitation at the top of the kept e-mails. */
export async function seedTeam({ url, project, operator }: Shop): Promise<void> {
  const projectIDs = [Number(project)]
  await operator(rolesRoutes.createRole, {
    body: {
      ...{ name: 'cashier', displayName: 'Cashier', description: 'Makes links at the till.', scope: 'project' },
      permissions: ['project:read', 'payment:read', 'payment:create', 'customer:read'],
    },
  })
  const invite = async (name: string, role: { roleName: string; projectIDs?: number[] }) => {
    const email = `${name.toLowerCase()}@acme.example`
    const { member } = await operator(accountRoutes.inviteMember, { body: { email, name, ...role } })
    return { id: member.id, email }
  }
  const accept = async (email: string) => {
    const [letter] = await operator(sandboxRoutes.listEmails)
    const token = new URL(letter?.action?.url ?? '').searchParams.get('resetPasswordToken') ?? ''
    await apiOf(url)(passwordRoutes.resetPassword, { body: { password: PASSWORD, resetPasswordToken: token } })
    await apiOf(url)(authRoutes.signIn, { body: { email, password: PASSWORD } })
  }
  for (const [name, role] of [
    ['Olga', { roleName: 'project_lead', projectIDs }],
    ['Max', { roleName: 'auditor' }],
    ['Kofi', { roleName: 'cashier', projectIDs }],
  ] as const) {
    await accept((await invite(name, { ...role })).email)
  }
  const former = await invite('Lena', { roleName: 'project_ops', projectIDs })
  await operator(accountRoutes.revokeAccess, { params: { id: former.id }, body: {} })
  await invite('Wilhelmina', { roleName: 'project_manager', projectIDs })
}
