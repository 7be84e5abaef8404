import { accountRoutes } from '@kassa/contract/auth/account-routes.ts'
import { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { membersRoutes } from '@kassa/contract/operators/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { TEST_PASSWORD, type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'

const FIRST = 'First.Horse7'

let app: TestApp
let root: string
let shop: number
let count = 0

beforeAll(async () => {
  app = await testApp()
  root = await app.signUp()
  shop = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key: root })).body.id
})
afterAll(() => app.stop())

type Seen = 'an invitation' | 'a first password' | 'a reset link'

/** What a lead saw of a member below them, and how it is used. */
async function seenByLead(what: Seen) {
  const lead = await addOperator(app, { projectId: shop, role: 'project_lead' })
  const email = `seen-${++count}@shop.example`
  const member = {
    email,
    roleName: 'project_ops',
    projectIDs: [shop],
    ...(what === 'a first password' && { password: FIRST }),
  }
  const { body } = await app.call(accountRoutes.inviteMember, { body: member }, { key: lead.key })
  const { id } = body.member
  const follow = (url: string | null | undefined) => {
    const resetPasswordToken = new URL(url ?? '').searchParams.get('resetPasswordToken') ?? ''
    return app.call(passwordRoutes.resetPassword, { body: { password: 'Another.Horse8', resetPasswordToken } })
  }
  let url = body.invitation?.url
  if (what === 'a reset link') {
    await follow(url)
    const asked = { params: { id }, body: { password: TEST_PASSWORD } }
    url = (await app.call(passwordRoutes.issueResetLink, asked, { key: lead.key })).body.url
  }
  const use = async () => {
    const isPassword = what === 'a first password'
    const answer = isPassword
      ? await app.call(authRoutes.signIn, { body: { email, password: FIRST } })
      : await follow(url)
    return answer.refusal?.code ?? 'lets in'
  }
  return { lead: lead.operatorId, member: id, use }
}

const assign = (id: number, body: { roleName: string; projectIDs?: number[] }) =>
  app.call(membersRoutes.replaceRoles, { params: { id }, body }, { key: root })

describe('what an administrator saw of a member', () => {
  it.each(['an invitation', 'a first password', 'a reset link'] as const)(
    'is worth what they may do now: %s',
    async (what) => {
      const [kept, revoked, demoted, raised] = [
        await seenByLead(what),
        await seenByLead(what),
        await seenByLead(what),
        await seenByLead(what),
      ]
      await app.call(accountRoutes.revokeAccess, { params: { id: revoked.lead }, body: {} }, { key: root })
      await assign(demoted.lead, { roleName: 'project_ops', projectIDs: [shop] })
      await assign(raised.member, { roleName: 'admin' })
      const answers = [await kept.use(), await revoked.use(), await demoted.use(), await raised.use()]
      const refused = what === 'a first password' ? 'INVALID_CREDENTIALS' : 'RESET_TOKEN_INVALID'
      expect(answers).toEqual(['lets in', refused, refused, refused])
    },
  )
})

describe('who stole a session without a password', () => {
  it('is shown no link to the account of somebody invited: STEP_UP_REQUIRED', async () => {
    const thief = await addOperator(app, { projectId: shop, role: 'project_lead' })
    const member = { email: 'invited@shop.example', roleName: 'project_ops', projectIDs: [shop] }
    const { id } = (await app.call(accountRoutes.inviteMember, { body: member }, { key: root })).body.member
    const again = () => app.call(accountRoutes.sendInvitation, { params: { id } }, { key: thief.key })
    await sql`UPDATE sessions SET step_up_until = NULL WHERE operator_id = ${thief.operatorId}`.execute(app.ctx.db)
    expect((await again()).refusal?.code).toBe('STEP_UP_REQUIRED')
    await app.call(authRoutes.stepUp, { body: { method: 'password', password: TEST_PASSWORD } }, { key: thief.key })
    expect((await again()).body.invitation.url).toContain('resetPasswordToken=')
  })
})
