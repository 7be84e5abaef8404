import type { Permission } from '@kassa/contract/permissions.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'

import { useCan } from '../../../api/me.ts'
import { projectsQuery } from '../../../api/projects.ts'
import { ALL_PROJECTS, lastProject } from '../../../lib/navigation/current-project.ts'
import type { SelectOption } from '../../../ui/fields/Select.tsx'

/** Returns the projects in which the operator may do something, as options. */
export function useProjectOptions(permission: Permission): SelectOption[] {
  const { data: projects = [] } = useQuery(projectsQuery)
  const can = useCan()
  return projects.filter(({ id }) => can(permission, id)).map(({ id, name }) => ({ value: String(id), label: name }))
}

/** Returns what a form starts with: the page's project, else the one looked at last, else the first. */
export function firstChoice(options: readonly SelectOption[], projectId: string): string {
  const wanted = projectId === ALL_PROJECTS ? lastProject() : projectId
  return (options.find(({ value }) => value === wanted) ?? options[0])?.value ?? ''
}

/** Returns a project's name by its id. */
export function useProjectName(): (id: number) => string {
  const { data: projects = [] } = useQuery(projectsQuery)
  return (id) => projects.find((project) => project.id === id)?.name ?? t`Project ${id}`
}
