import { accountRoutes } from '@kassa/contract/auth/account-routes.ts'
import { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { mailRoutes } from '@kassa/contract/mail/routes.ts'
import { membersRoutes } from '@kassa/contract/operators/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { TEST_PASSWORD, type TestApp, testApp } from '../../../testing/app.ts'
import { MAIL_USER, type Mailbox, startMailbox } from '../../../testing/services/mailbox.ts'
import { addOperator } from '../../../testing/operators.ts'
import { mailEmailChangedJob, mailInvitationJob } from './service.ts'

const NEXT = 'Another.Horse8'

let app: TestApp
let root: string
let shop: number
let market: number
let lead: { readonly operatorId: number; readonly key: string }
let count = 0

beforeAll(async () => {
  app = await testApp()
  root = await app.signUp()
  const create = async (name: string) =>
    (await app.call(projectsRoutes.createProject, { body: { name } }, { key: root })).body.id
  shop = await create('Shop')
  market = await create('Market')
  lead = await addOperator(app, { projectId: shop, role: 'project_lead' })
})
afterAll(() => app.stop())

const newEmail = () => `member-${++count}@shop.example`
type Invite = Parameters<typeof app.call<typeof accountRoutes.inviteMember>>[1]
const invite = (body: NonNullable<Invite>['body'], key = root) =>
  app.call(accountRoutes.inviteMember, { body }, { key })
const ops = (email = newEmail()) => invite({ email, roleName: 'project_ops', projectIDs: [shop] })
const tokenOf = (url: string | null | undefined) => new URL(url ?? '').searchParams.get('resetPasswordToken') ?? ''
const accept = (url: string | null | undefined) =>
  app.call(passwordRoutes.resetPassword, { body: { password: NEXT, resetPasswordToken: tokenOf(url) } })
const signIn = (email: string, password = NEXT) => app.call(authRoutes.signIn, { body: { email, password } })
const me = (key: string) => app.call(authRoutes.getMe, {}, { key })
const read = (id: number, key = root) => app.call(membersRoutes.getMember, { params: { id } }, { key })
const revoke = (id: number, body = {}, key = root) =>
  app.call(accountRoutes.revokeAccess, { params: { id }, body }, { key })
const activate = (id: number) => app.call(membersRoutes.activateMember, { params: { id } }, { key: root })
const remove = (id: number, key = root) => app.call(accountRoutes.deleteMember, { params: { id } }, { key })
const again = (id: number) => app.call(accountRoutes.sendInvitation, { params: { id } }, { key: root })
const search = (body: object, key = root) => app.call(membersRoutes.searchMembers, { body }, { key })

/** A member who accepted an invitation and signed in. */
async function joined(roleName: 'project_ops' | 'admin' | 'root' = 'project_ops') {
  const email = newEmail()
  const where = roleName === 'project_ops' ? { projectIDs: [shop] } : {}
  const { body } = await invite({ email, roleName, ...where })
  await accept(body.invitation?.url)
  return { id: body.member.id, email, key: (await signIn(email)).body.key }
}

describe('O2, O12: an invitation', () => {
  it('shows a link once where no mail can be sent, and lets its holder in', async () => {
    const email = newEmail()
    const { status, body } = await ops(email)
    expect(status).toBe(201)
    expect(body.member).toMatchObject({ email, state: 'invited', customer_id: `m_${body.member.id}` })
    const link = await app.call(passwordRoutes.readPasswordToken, { body: { token: tokenOf(body.invitation?.url) } })
    expect(link.body).toMatchObject({ purpose: 'invite', role: 'Project Ops', projects: ['Shop'] })
    expect((await signIn(email)).refusal?.code).toBe('INVALID_CREDENTIALS')
    expect((await accept(body.invitation?.url)).status).toBe(200)
    const { permissions, state } = (await me((await signIn(email)).body.key)).body
    expect([state, permissions.projects[String(shop)]?.includes('payment:create')]).toEqual(['active', true])
    expect((await accept(body.invitation?.url)).refusal?.code).toBe('RESET_TOKEN_INVALID')
    expect((await again(body.member.id)).refusal?.code).toBe('MEMBER_NOT_INVITED')
  })

  it('makes one that was sent again the only one that works', async () => {
    const { body } = await ops()
    const second = await again(body.member.id)
    expect((await accept(body.invitation?.url)).refusal?.code).toBe('RESET_TOKEN_INVALID')
    expect((await accept(second.body.invitation.url)).status).toBe(200)
  })

  it('ends with the access, and comes back as an invitation', async () => {
    const { body } = await ops()
    expect((await revoke(body.member.id)).body.member.state).toBe('inactive')
    expect((await accept(body.invitation?.url)).refusal?.code).toBe('RESET_TOKEN_INVALID')
    expect((await again(body.member.id)).refusal?.code).toBe('MEMBER_NOT_INVITED')
    expect((await activate(body.member.id)).body.member.state).toBe('invited')
    expect((await accept(body.invitation?.url)).refusal?.code).toBe('RESET_TOKEN_INVALID')
    expect((await accept((await again(body.member.id)).body.invitation.url)).status).toBe(200)
  })

  it('lets in one of those who use it at once', async () => {
    const { body } = await ops()
    const answers = await Promise.all(Array.from({ length: 8 }, () => accept(body.invitation?.url)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('lets no one in when it is revoked, or its address is changed, at the same time', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [gone, moved] = [(await ops()).body, (await ops()).body]
      await Promise.all([accept(gone.invitation?.url), revoke(gone.member.id)])
      expect((await signIn(gone.member.email)).refusal?.code).toBe('INVALID_CREDENTIALS')
      const change = { params: { id: moved.member.id }, body: { email: newEmail() } }
      const changing = app.call(accountRoutes.changeMember, change, { key: root })
      const accepted = await accept(moved.invitation?.url)
      expect((await changing).status).toBe(200)
      expect((await signIn(moved.member.email)).refusal?.code).toBe('INVALID_CREDENTIALS')
      expect((await signIn(change.body.email)).status === 200).toBe(accepted.status === 200)
    }
  })

  it('gives a first password that must be replaced, in place of a link', async () => {
    const email = newEmail()
    const { body } = await invite({ email, roleID: 9, password: TEST_PASSWORD })
    expect(body).toMatchObject({
      invitation: null,
      member: { state: 'active', resetPasswordRequired: true, platformRoles: 'auditor' },
    })
    const { resetPasswordRequired, resetPasswordToken } = (await signIn(email, TEST_PASSWORD)).body
    expect([resetPasswordRequired, resetPasswordToken]).toEqual([true, expect.any(String)])
  })

  it('refuses what cannot be', async () => {
    const email = newEmail()
    await ops(email)
    const code = async (body: NonNullable<Invite>['body'], key = root) => (await invite(body, key)).refusal?.code
    const { operatorId } = lead
    await sql`UPDATE operators SET username = 'lena' WHERE id = ${operatorId}`.execute(app.ctx.db)
    expect(await code({ email: email.toUpperCase(), roleName: 'project_ops', projectIDs: [shop] })).toBe(
      'MEMBER_EXISTS',
    )
    expect(await code({ email: newEmail(), username: 'Lena', roleName: 'project_ops', projectIDs: [shop] })).toBe(
      'USERNAME_TAKEN',
    )
    expect(await code({ email: newEmail(), roleName: 'project_ops' })).toBe('ROLE_NEEDS_PROJECT')
    expect(await code({ email: newEmail(), roleName: 'admin', projectIDs: [shop] })).toBe('VALIDATION_FAILED')
    expect(await code({ email: newEmail(), roleName: 'captain' })).toBe('ROLE_NOT_FOUND')
    expect(await code({ email: newEmail(), roleID: 2, projectIDs: [shop] })).toBe('ROLE_NOT_FOUND')
    expect(await code({ email: newEmail() })).toBe('VALIDATION_FAILED')
    expect(await code({ email: newEmail(), roleName: 'project_ops', projectIDs: [99_999] })).toBe('PROJECT_NOT_FOUND')
    expect(await code({ email: newEmail(), roleName: 'project_ops', projectIDs: [market] }, lead.key)).toBe(
      'PROJECT_NOT_FOUND',
    )
    expect(await code({ email: newEmail(), roleName: 'project_lead', projectIDs: [shop] }, lead.key)).toBe(
      'ROLE_ABOVE_YOURS',
    )
    expect(await code({ email: newEmail(), roleName: 'root' }, (await joined('admin')).key)).toBe('ROLE_ABOVE_YOURS')
    expect((await invite({ email: newEmail(), roleName: 'project_ops', projectIDs: [shop] }, lead.key)).status).toBe(
      201,
    )
  })

  it('lets one of fifty at once add the same address', async () => {
    const email = newEmail()
    const answers = await Promise.all(Array.from({ length: 50 }, () => ops(email)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(answers.map(({ refusal }) => refusal?.code))).toEqual(new Set([undefined, 'MEMBER_EXISTS']))
  })
})

describe('O1, O3, O4: reading members', () => {
  it('lists them by the columns that the server names, with search and filters', async () => {
    const { id, email } = await joined()
    const page = await search({ query: email.slice(0, -8) })
    expect(page.body.members.data.map((member) => member.email)).toEqual([email])
    expect(page.body.members.attributes.map(({ displayName }) => displayName)).toEqual([
      'Member ID',
      'Email',
      'Platform Roles',
      'Created At',
      'Updated At',
      'Member Type',
    ])
    const ids = async (body: object) => (await search({ limit: 200, ...body })).body.members.data.map((one) => one.id)
    expect(await ids({ role: ['project_ops'], state: ['active'] })).toContain(id)
    expect(await ids({ role: [9] })).not.toContain(id)
    expect(await ids({ state: ['invited'] })).not.toContain(id)
    expect(await ids({ externalPlatformIds: [market] })).not.toContain(id)
    // Who works everywhere works there too.
    expect(await ids({ externalPlatformIds: [market] })).toContain(1)
    expect(await ids({ query: String(id) })).toContain(id)
    const alias = await app.call(membersRoutes.listMembers, { query: { query: email } }, { key: root })
    expect(alias.body.members.totalCount).toBe(1)
  })

  it('turns pages in any order without losing one', async () => {
    for (const sortBy of ['email', 'id', 'created_at', 'updated_at']) {
      const seen: number[] = []
      let cursor: string | null | undefined
      do {
        const { members } = (await search({ sortBy, sortDirection: 'ASC', limit: 3, ...(cursor && { cursor }) })).body
        seen.push(...members.data.map(({ id }) => id))
        cursor = members.nextCursor
      } while (cursor)
      const { totalCount } = (await search({})).body.members
      expect([sortBy, new Set(seen).size, seen.length]).toEqual([sortBy, totalCount, totalCount])
    }
    expect((await search({ sortBy: 'password_hash' })).refusal?.code).toBe('SORT_FIELD_UNKNOWN')
  })

  it('tells a lead of the own project alone', async () => {
    const { body: elsewhere } = await invite({ email: newEmail(), roleName: 'project_ops', projectIDs: [market] })
    const { body: both } = await invite({ email: newEmail(), roleName: 'project_ops', projectIDs: [shop, market] })
    const ids = (await search({ limit: 200 }, lead.key)).body.members.data.map(({ id }) => id)
    expect(ids).not.toContain(elsewhere.member.id)
    expect(ids).toContain(both.member.id)
    expect((await read(elsewhere.member.id, lead.key)).refusal?.code).toBe('MEMBER_NOT_FOUND')
    const { memberExternalPlatformRoles: roles } = (await read(both.member.id, lead.key)).body
    expect(roles.map(({ externalPlatformID }) => externalPlatformID)).toEqual([shop])
  })
})

describe('O5: changing a member', () => {
  it('frees the former e-mail, ends links, and refuses what another has', async () => {
    const { body } = await ops()
    const { id, email } = body.member
    const change = (facts: object) =>
      app.call(accountRoutes.changeMember, { params: { id }, body: facts }, { key: root })
    const moved = newEmail()
    expect((await change({ email: moved, name: 'Olga' })).body).toMatchObject({ email: moved, name: 'Olga' })
    expect((await accept(body.invitation?.url)).refusal?.code).toBe('RESET_TOKEN_INVALID')
    expect((await ops(email)).status).toBe(201)
    expect((await change({ email })).refusal?.code).toBe('MEMBER_EXISTS')
    await sql`UPDATE operators SET username = 'lena' WHERE id = ${lead.operatorId}`.execute(app.ctx.db)
    expect((await change({ username: 'LENA' })).refusal?.code).toBe('USERNAME_TAKEN')
    expect((await change({ username: '' })).status).toBe(200)
  })
})

describe('O9, O10, O11, O16: out, and in again', () => {
  it('signs out at once whose access is revoked, and lets them sign in when it is back', async () => {
    const { id, key, email } = await joined()
    expect((await revoke(id)).body.member.state).toBe('inactive')
    expect((await me(key)).refusal?.code).toBe('UNAUTHORIZED')
    expect((await signIn(email)).refusal?.code).toBe('INVALID_CREDENTIALS')
    expect((await revoke(id)).status).toBe(200)
    expect((await activate(id)).body.member.state).toBe('active')
    expect((await activate(id)).status).toBe(200)
    // The session that was ended stays ended.
    expect((await me(key)).refusal?.code).toBe('UNAUTHORIZED')
    expect((await signIn(email)).status).toBe(200)
  })

  it('drops the role in one project alone', async () => {
    const { body } = await invite({ email: newEmail(), roleName: 'project_ops', projectIDs: [shop, market] })
    const { id } = body.member
    await revoke(id, { externalPlatformID: market })
    const member = (await read(id)).body
    expect(member.state).toBe('invited')
    expect(member.memberExternalPlatformRoles.map(({ externalPlatformID }) => externalPlatformID)).toEqual([shop])
  })

  it('deletes a member: signed out, not listed, the e-mail free', async () => {
    const { id, key, email } = await joined()
    expect((await remove(id)).body.message).toBe('Member deleted.')
    expect((await me(key)).refusal?.code).toBe('UNAUTHORIZED')
    expect((await read(id)).refusal?.code).toBe('MEMBER_NOT_FOUND')
    expect((await remove(id)).refusal?.code).toBe('MEMBER_NOT_FOUND')
    expect((await ops(email)).body.member.id).not.toBe(id)
  })

  it('lists where a member is signed in, and ends it', async () => {
    const { id, key } = await joined()
    const params = { id }
    const { body } = await app.call(accountRoutes.listMemberSessions, { params }, { key: root })
    expect(body).toMatchObject([{ current: false }])
    await app.call(accountRoutes.endMemberSessions, { params }, { key: root })
    expect((await me(key)).refusal?.code).toBe('UNAUTHORIZED')
  })

  it('refuses actions of members on themselves', async () => {
    const { id, key } = await joined('admin')
    for (const refused of [await revoke(id, {}, key), await remove(id, key)]) {
      expect(refused.refusal?.code).toBe('CANNOT_CHANGE_SELF')
    }
    await remove(id)
  })
})

describe('the last root', () => {
  const roles = (id: number, key: string) =>
    app.call(membersRoutes.replaceRoles, { params: { id }, body: { roleName: 'auditor' } }, { key })
  const assign = (id: number, key: string) =>
    app.call(membersRoutes.assignRole, { params: { id }, body: { roleName: 'auditor' } }, { key })
  const paths = { revoke: (id: number, key: string) => revoke(id, {}, key), remove, roles, assign }
  const activeRoots = async () =>
    Number(
      (
        await sql<{ count: bigint }>`SELECT count(*) FROM operators JOIN operator_roles ON operator_id = id
          WHERE role_id = 1 AND state = 'active' AND deleted_at IS NULL`.execute(app.ctx.db)
      ).rows[0]?.count,
    )

  it.each(Object.entries(paths))('stays, by %s', async (_name, path) => {
    expect((await path(1, root)).refusal?.code).toBe('LAST_ROOT')
    // One who was invited, and one whose access was revoked, sign in no more than nobody.
    const invited = (await invite({ email: newEmail(), roleName: 'root' })).body.member.id
    expect((await path(1, root)).refusal?.code).toBe('LAST_ROOT')
    await remove(invited)
    const second = await joined('root')
    expect((await path(1, root)).refusal?.code).toBe('CANNOT_CHANGE_SELF')
    expect((await path(second.id, root)).status).toBe(200)
    await remove(second.id)
    expect(await activeRoots()).toBe(1)
  })

  it('stays when roots take it from each other at once, by every path, a hundred times', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => joined('root')))
    const everybody = [{ id: 1, key: root }, ...others]
    const calls = Array.from({ length: 100 }, (_, n) => {
      const by = everybody[n % 5]
      const about = everybody[(n + 1 + (n % 4)) % 5]
      const path = Object.values(paths)[Math.floor(n / 5) % 4]
      return path ? path(about?.id ?? 0, by?.key ?? '') : Promise.reject(new Error('No such path'))
    })
    const codes = (await Promise.all(calls)).map((answer) => answer.refusal?.code ?? 'done')
    const expected = ['done', 'UNAUTHORIZED', 'FORBIDDEN', 'MEMBER_NOT_FOUND', 'ROLE_ABOVE_YOURS']
    expect([...expected, 'LAST_ROOT', 'CANNOT_CHANGE_SELF']).toEqual(expect.arrayContaining([...new Set(codes)]))
    expect(await activeRoots()).toBeGreaterThanOrEqual(1)
    // Whoever is left brings the first one back, so that the other tests can go on.
    await sql`UPDATE operators SET state = 'active', deleted_at = NULL WHERE id = 1`.execute(app.ctx.db)
    await sql`DELETE FROM operator_roles WHERE operator_id = 1`.execute(app.ctx.db)
    await sql`INSERT INTO operator_roles (operator_id, role_id) VALUES (1, 1)`.execute(app.ctx.db)
    root = (await signIn('owner@shop.example', TEST_PASSWORD)).body.key
    for (const { id } of others) await remove(id)
  })

  it('lets one of two who demote each other at once do so', async () => {
    const [first, second] = [await joined('root'), await joined('root')]
    const answers = await Promise.all([roles(first.id, second.key), roles(second.id, first.key)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { id } of [first, second]) await remove(id)
  })
})

describe('by mail', () => {
  let mailbox: Mailbox
  const jobs = async <Payload>(queue: string) =>
    (
      await sql<{ data: Payload }>`SELECT data FROM pgboss.job WHERE name = ${queue} ORDER BY created_on`.execute(
        app.ctx.db,
      )
    ).rows.map(({ data }) => data)
  type Invitation = Parameters<typeof mailInvitationJob.run>[1]
  type Changed = Parameters<typeof mailEmailChangedJob.run>[1]

  beforeAll(async () => {
    mailbox = await startMailbox()
    const server = { host: '127.0.0.1', port: mailbox.port, ...MAIL_USER, encryption: 'none' } as const
    await app.call(mailRoutes.saveMailServer, { body: { ...server, from: 'k@shop.example' } }, { key: root })
  })
  afterAll(() => mailbox.close())

  it('sends an invitation whose link only the invited member sees, and none after a revocation', async () => {
    const { body } = await ops()
    expect(body.invitation).toMatchObject({ url: null })
    const [queued] = (await jobs<Invitation>(mailInvitationJob.queue)).slice(-1)
    if (!queued) throw new Error('Nothing was queued')
    await mailInvitationJob.run(asSystem(app.ctx), queued)
    const { text = '', to } = await mailbox.holds(1)
    expect(to).toMatchObject({ text: body.member.email })
    expect(text).toContain('to Kassa as Project Ops of Shop.')
    const [url] = /http\S+resetPasswordToken=[\w-]{43}/.exec(text) ?? []
    expect((await accept(url)).status).toBe(200)
    await mailInvitationJob.run(asSystem(app.ctx), queued)
    expect(mailbox.mails).toHaveLength(1)
  })

  it('keeps no link that the mail server did not take', async () => {
    const { body } = await ops()
    const [queued] = (await jobs<Invitation>(mailInvitationJob.queue)).slice(-1)
    if (!queued) throw new Error('Nothing was queued')
    mailbox.refuseWith('450 later')
    await expect(mailInvitationJob.run(asSystem(app.ctx), queued)).rejects.toThrow(/\S/)
    mailbox.refuseWith(null)
    const { rows } = await sql`SELECT 1 FROM password_tokens WHERE operator_id = ${body.member.id}`.execute(app.ctx.db)
    expect(rows).toEqual([])
  })

  it('tells both addresses of another e-mail', async () => {
    const { body } = await ops()
    const change = { params: { id: body.member.id }, body: { email: newEmail() } }
    await app.call(accountRoutes.changeMember, change, { key: root })
    const queued = (await jobs<Changed>(mailEmailChangedJob.queue)).slice(-2)
    const before = mailbox.mails.length
    for (const one of queued) await mailEmailChangedJob.run(asSystem(app.ctx), one)
    await mailbox.holds(before + 2)
    const to = mailbox.mails.slice(-2).map((mail) => (Array.isArray(mail.to) ? '' : (mail.to?.text ?? '')))
    expect(to.toSorted()).toEqual([body.member.email, change.body.email].toSorted())
  })
})
