import type { Permission } from '@kassa/contract/permissions.ts'
import { describe, expect, it } from 'vitest'

import { permissionsVersion } from './permissions-version.ts'

describe('auth.permissionsVersion', () => {
  const version = (install: Permission[], projects: [number, Permission[]][]) =>
    permissionsVersion({
      install: new Set(install),
      projects: new Map(projects.map(([id, held]) => [id, new Set(held)])),
    })

  it('is the same for every order of permissions, and differs for others', () => {
    const one = version(
      ['wallet:read', 'payment:read'],
      [
        [7, ['payment:read', 'sweep:read']],
        [12, []],
      ],
    )
    expect(
      version(
        ['payment:read', 'wallet:read'],
        [
          [12, []],
          [7, ['sweep:read', 'payment:read']],
        ],
      ),
    ).toBe(one)
    const others = [
      version(
        ['wallet:read'],
        [
          [7, ['payment:read', 'sweep:read']],
          [12, []],
        ],
      ),
      version(
        ['wallet:read', 'payment:read'],
        [
          [7, ['payment:read']],
          [12, ['sweep:read']],
        ],
      ),
      version(['wallet:read', 'payment:read'], [[7, ['payment:read', 'sweep:read']]]),
    ]
    expect(new Set([one, ...others]).size).toBe(4)
  })
})
