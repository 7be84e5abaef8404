import { createHash } from 'node:crypto'

import type { Grants } from '../../../context.ts'

/** Names what somebody may do: the same for the same permissions, in whatever order they were read. */
export function permissionsVersion({ install, projects }: Pick<Grants, 'install' | 'projects'>): string {
  const inProjects = [...projects]
    .toSorted(([one], [other]) => one - other)
    .map(([id, permissions]) => [id, [...permissions].toSorted()])
  const text = JSON.stringify([[...install].toSorted(), inProjects])
  return createHash('sha256').update(text).digest('base64url')
}
