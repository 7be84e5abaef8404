import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { archivedProjectsQuery } from '../../../api/projects.ts'
import { paths } from '../../../lib/paths.ts'
import { TextLink } from '../../../ui/actions/TextLink.tsx'

/** The projects out of use, where there are any: each can be read and restored. */
export function ArchivedProjects() {
  const { data = [] } = useQuery(archivedProjectsQuery)
  const projects = data.length
  if (projects === 0) return null
  return (
    <details className="mt-4">
      <summary className="cursor-pointer text-body text-muted">
        <Trans>Archived ({projects})</Trans>
      </summary>
      <ul className="mt-2 flex flex-col gap-2">
        {data.map(({ id, name }) => (
          <li key={id}>
            <TextLink href={paths.projectSettings({ projectId: id }, { tab: 'projectDetails' })}>{name}</TextLink>
          </li>
        ))}
      </ul>
    </details>
  )
}
