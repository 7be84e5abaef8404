import { authRoutes } from '@kassa/contract/auth/routes.ts'
import type { SignedIn } from '@kassa/contract/auth/schemas.ts'
import type { Permission, RoleName } from '@kassa/contract/permissions.ts'
import { sql } from 'kysely'

import type { Caller } from '../context.ts'
import { addProjectRole } from '../modules/operators/accounts/service.ts'
import { TEST_PASSWORD, type TestApp } from './app.ts'

/** A further operator with a role in one project, signed in with the password of the first account. */
export async function addOperator(
  app: TestApp,
  { projectId, role }: { projectId: number; role: RoleName },
): Promise<{ readonly operatorId: number; readonly key: string; readonly signedIn: SignedIn }> {
  const { rows } = await sql<{ id: number; email: string }>`
    INSERT INTO operators (email, customer_id, password_hash)
    SELECT m.name || '@shop.example', m.name, o.password_hash
    FROM operators o, (SELECT 'operator-' || gen_random_uuid() AS name) m WHERE o.customer_id = 'root'
    RETURNING id, email`.execute(app.ctx.db)
  const [operator] = rows
  if (!operator) throw new Error('Sign up first')
  await addProjectRole(app.ctx, { operatorId: operator.id, projectId, role })
  const { body } = await app.call(authRoutes.signIn, { body: { email: operator.email, password: TEST_PASSWORD } })
  return { operatorId: operator.id, key: body.key, signedIn: body }
}

/** A caller whose custom role gives these permissions in one project; the first account, when no other is named. */
export function operatorWith(projectId: number, permissions: Permission[], operatorId = 1): Caller {
  const none = new Set<Permission>()
  return {
    kind: 'operator',
    operatorId,
    sessionId: 1,
    email: '',
    restricted: false,
    stepUpUntil: null,
    secondFactors: [],
    missingFactor: null,
    grants: { install: none, everywhere: none, projects: new Map([[projectId, new Set(permissions)]]) },
  }
}
