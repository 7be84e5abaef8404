import { permissionsOf } from '@kassa/contract/permissions.ts'
import { describe, expect, it } from 'vitest'

import { permissionsOfRoles, roleId } from './rules.ts'

describe('operators.permissionsOfRoles', () => {
  it('gives an install-wide role its permissions everywhere', () => {
    const assigned = permissionsOfRoles([{ projectId: null, roleId: roleId('root') }])
    expect([...assigned.install].toSorted()).toEqual(permissionsOf('root').toSorted())
    expect(assigned.projects.size).toBe(0)
  })

  it('keeps what a project role allows in that project', () => {
    const assigned = permissionsOfRoles([
      { projectId: 3, roleId: roleId('project_lead') },
      { projectId: 4, roleId: roleId('project_manager') },
    ])
    expect(assigned.projects.get(3)?.has('payment:create')).toBe(true)
    expect(assigned.projects.get(4)?.has('payment:create')).toBe(false)
    expect(assigned.install.has('payment:create')).toBe(false)
  })

  it('counts for the install what is granted once, when a project role brings it', () => {
    const assigned = permissionsOfRoles([{ projectId: 3, roleId: roleId('project_lead') }])
    expect(assigned.install.has('project:create')).toBe(true)
    expect(assigned.install.has('wallet:write')).toBe(false)
  })

  it('allows nothing to an unknown role and to nobody', () => {
    expect(permissionsOfRoles([{ projectId: null, roleId: 999 }]).install.size).toBe(0)
    expect(permissionsOfRoles([])).toEqual({ install: new Set(), projects: new Map() })
  })
})
