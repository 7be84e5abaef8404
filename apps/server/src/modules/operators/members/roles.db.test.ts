import { accountRoutes } from '@kassa/contract/auth/account-routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { rolesRoutes } from '@kassa/contract/operators/role-routes.ts'
import { membersRoutes } from '@kassa/contract/operators/routes.ts'
import { PERMISSION_NAMES, ROLES } from '@kassa/contract/permissions.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { TEST_PASSWORD, type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'

let app: TestApp
let root: string
let shop: number

beforeAll(async () => {
  app = await testApp()
  root = await app.signUp()
  shop = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key: root })).body.id
})
afterAll(() => app.stop())

const CASHIER = {
  name: 'cashier',
  displayName: 'Cashier',
  permissions: ['project:read', 'payment:read', 'payment:create'],
  scope: 'project',
} as const
type RoleInput = { name: string; displayName: string; permissions: string[]; scope: 'install' | 'project' }
const input = (more: Partial<RoleInput> = {}): RoleInput => ({
  ...CASHIER,
  permissions: [...CASHIER.permissions],
  ...more,
})
const create = (more: Partial<RoleInput> = {}, key = root) =>
  app.call(rolesRoutes.createRole, { body: input(more) }, { key })
const change = (id: number, more: Partial<RoleInput> = {}, key = root) =>
  app.call(rolesRoutes.changeRole, { params: { id }, body: input(more) }, { key })
const remove = (id: number, key = root) => app.call(rolesRoutes.deleteRole, { params: { id } }, { key })
const me = (key: string) => app.call(authRoutes.getMe, {}, { key })
const replaceRole = (id: number, roleID: number, projectIDs: number[] = [shop], key = root) =>
  app.call(membersRoutes.replaceRoles, { params: { id }, body: { roleID, projectIDs } }, { key })

/** Somebody with a custom role for the whole install that may define others. */
async function definer() {
  const permissions = ['role:read', 'role:write', 'operator:read', 'operator:write', 'payment:read']
  const { id } = (await create({ name: 'definer', displayName: 'Definer', permissions, scope: 'install' })).body
  const email = 'definer@shop.example'
  const member = { email, roleID: id, password: TEST_PASSWORD }
  await app.call(accountRoutes.inviteMember, { body: member }, { key: root })
  await sql`UPDATE operators SET reset_password_required = false`.execute(app.ctx.db)
  const { body } = await app.call(authRoutes.signIn, { body: { email, password: TEST_PASSWORD } })
  return { roleID: id, key: body.key }
}

describe('the roles of the database', () => {
  it('are those of the contract, and its custom ones', async () => {
    const { rows } = await sql<{ id: number; name: string }>`SELECT id, name FROM roles ORDER BY id`.execute(app.ctx.db)
    expect(rows).toEqual(ROLES.map(({ id, name }) => ({ id, name })))
  })
})

describe('O17, O21: reading roles', () => {
  it('lists those that may be assigned, with what they permit', async () => {
    const { roles } = (await app.call(rolesRoutes.listRoles, {}, { key: root })).body
    expect(roles.map(({ id }) => id).slice(0, 6)).toEqual([4, 5, 6, 7, 8, 9])
    const referral = roles.find(({ id }) => id === 8)
    expect(referral).toMatchObject({ builtIn: true, places: ['project', 'install'], members: null })
    expect(referral?.permissions).not.toContain('payout:read')
    expect(referral?.permissions).not.toContain('analytics:read')
  })

  it('says of every permission which roles have it', async () => {
    const { body } = await app.call(rolesRoutes.listPermissions, {}, { key: root })
    expect(body.map(({ name }) => name)).toEqual(PERMISSION_NAMES)
    expect(body.find(({ name }) => name === 'role:write')?.roles).toEqual(['root'])
  })
})

describe('O18, O19, O20: custom roles', () => {
  it('creates one that can be assigned, changes it for its holders at once, and keeps it while a member has it', async () => {
    const { status, body } = await create()
    expect([status, body.id >= 100, body.builtIn]).toEqual([201, true, false])
    const holder = await addOperator(app, { projectId: shop, role: 'project_ops' })
    expect((await replaceRole(holder.operatorId, body.id)).body.roles).toMatchObject([{ externalPlatformID: shop }])
    const permissions = async () => (await me(holder.key)).body.permissions.projects[String(shop)]
    expect(await permissions()).toEqual(['project:read', 'payment:read', 'payment:create'])
    await change(body.id, { permissions: ['project:read', 'payment:read'] })
    expect(await permissions()).toEqual(['project:read', 'payment:read'])
    expect((await change(body.id, { scope: 'install' })).refusal?.code).toBe('ROLE_IN_USE')
    expect((await remove(body.id)).refusal?.code).toBe('ROLE_IN_USE')
    await app.call(accountRoutes.deleteMember, { params: { id: holder.operatorId } }, { key: root })
    expect((await remove(body.id)).status).toBe(200)
    expect((await remove(body.id)).refusal?.code).toBe('ROLE_NOT_FOUND')
  })

  it('refuses invalid roles', async () => {
    const { id } = (await create({ name: 'second' })).body
    expect((await create({ name: 'second' })).refusal?.code).toBe('ROLE_EXISTS')
    expect((await create({ name: 'auditor' })).refusal?.code).toBe('ROLE_EXISTS')
    expect((await change(id, { name: 'root' })).refusal?.code).toBe('ROLE_EXISTS')
    expect((await create({ name: 'third', permissions: ['money:print'] })).refusal?.code).toBe('PERMISSION_UNKNOWN')
    expect((await create({ name: 'Third One' })).refusal?.code).toBe('VALIDATION_FAILED')
    expect((await create({ name: 'third', permissions: [] })).refusal?.code).toBe('VALIDATION_FAILED')
    for (const answer of [await change(7), await remove(7)]) expect(answer.refusal?.code).toBe('ROLE_BUILT_IN')
    expect((await change(9999)).refusal?.code).toBe('ROLE_NOT_FOUND')
    await remove(id)
  })

  it('keeps permissions that change the whole install out of roles of single projects', async () => {
    const refused = await create({ name: 'keeper', permissions: ['wallet:read', 'wallet:write'] })
    expect(refused.refusal?.fields).toEqual({
      permissions: 'A role of single projects cannot hold permissions that change the whole install',
    })
    const permissions = ['settings:read', 'settings:write']
    const { id } = (await create({ name: 'keeper', permissions, scope: 'install' })).body
    expect((await change(id, { name: 'keeper', permissions })).refusal?.code).toBe('VALIDATION_FAILED')
    // A role that an earlier version stored shows what it permits.
    await sql`UPDATE roles SET place = 'project' WHERE id = ${id}`.execute(app.ctx.db)
    const { roles } = (await app.call(rolesRoutes.listRoles, {}, { key: root })).body
    expect(roles.find((one) => one.id === id)?.permissions).toEqual(['settings:read'])
    await remove(id)
  })

  it('lets a definer make lower roles alone, and neither their own nor a higher one', async () => {
    const { roleID, key } = await definer()
    const lower = { name: 'lower', permissions: ['payment:read'] }
    const made = await create(lower, key)
    expect(made.status).toBe(201)
    const above = { name: 'above', permissions: ['payment:create'] }
    expect((await create(above, key)).refusal?.code).toBe('ROLE_ABOVE_YOURS')
    expect((await change(roleID, lower, key)).refusal?.code).toBe('ROLE_ABOVE_YOURS')
    expect((await change(made.body.id, above, key)).refusal?.code).toBe('ROLE_ABOVE_YOURS')
    expect((await remove(roleID, key)).refusal?.code).toBe('ROLE_ABOVE_YOURS')
    // Whose role went above theirs meanwhile is not theirs any more.
    const holder = await addOperator(app, { projectId: shop, role: 'project_manager' })
    await replaceRole(holder.operatorId, made.body.id)
    await change(made.body.id, above)
    expect((await replaceRole(holder.operatorId, made.body.id, [shop], key)).refusal?.code).toBe('ROLE_ABOVE_YOURS')
  })

  it('names the permission that is missing, and where', async () => {
    const { key } = await addOperator(app, { projectId: shop, role: 'project_ops' })
    const { refusal } = await create({ name: 'fourth' }, key)
    expect(refusal).toMatchObject({
      code: 'FORBIDDEN',
      message: 'You need the permission role:write in this install.',
      data: { permission: 'role:write', project: 'this install' },
    })
  })
})

describe('O6, O7, O8: the roles of a member', () => {
  const assign = (id: number, body: object) =>
    app.call(membersRoutes.assignRole, { params: { id }, body }, { key: root })
  const places = async (id: number) =>
    (await app.call(membersRoutes.listMemberRoles, { params: { id } }, { key: root })).body.roles.map(
      ({ externalPlatformID, role }) => [externalPlatformID, role.name],
    )

  it('adds a role in another project, replaces the one in the same, and all by one for the install', async () => {
    const market = (await app.call(projectsRoutes.createProject, { body: { name: 'Market' } }, { key: root })).body.id
    const { operatorId: id } = await addOperator(app, { projectId: shop, role: 'project_ops' })
    await assign(id, { roleID: 5, externalPlatformID: market })
    expect(await places(id)).toEqual([
      [shop, 'project_ops'],
      [market, 'project_manager'],
    ])
    await assign(id, { roleName: 'project_lead', projectIDs: [market] })
    expect(await places(id)).toEqual([
      [shop, 'project_ops'],
      [market, 'project_lead'],
    ])
    await assign(id, { roleName: 'auditor' })
    expect(await places(id)).toEqual([[null, 'auditor']])
    await assign(id, { roleName: 'project_ops', projectIDs: [market] })
    expect(await places(id)).toEqual([[market, 'project_ops']])
    await replaceRole(id, 4, [shop])
    expect(await places(id)).toEqual([[shop, 'project_lead']])
    await app.call(accountRoutes.revokeAccess, { params: { id }, body: { externalPlatformID: shop } }, { key: root })
    expect(await places(id)).toEqual([])
    expect((await assign(id, {})).refusal?.fields).toEqual({ roleID: 'Role is required' })
    expect((await assign(id, { roleName: 'project_ops' })).refusal?.code).toBe('ROLE_NEEDS_PROJECT')
    expect((await assign(id, { roleID: 12_345 })).refusal?.code).toBe('ROLE_NOT_FOUND')
  })
})
