import { createHash } from 'node:crypto'

import type { Grants } from '../../../context.ts'

/** A fingerprint of a member's permissions, independent of the order in which they were read. */
export function permissionsVersion({ install, projects }: Pick<Grants, 'install' | 'projects'>): string {
  const inProjects = [...projects]
    .toSorted(([one], [other]) => one - other)
    .map(([id, permissions]) => [id, [...permissions].toSorted()])
  const text = JSON.stringify([[...install].toSorted(), inProjects])
  return createHash('sha256').update(text).digest('base64url')
}
