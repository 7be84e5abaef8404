import { useQuery } from '@tanstack/react-query'

import { projectsQuery } from '../../../api/projects.ts'
import { ALL_PROJECTS } from '../../../lib/navigation/current-project.ts'
import type { FilterField } from '../../../ui/filters/filter-fields.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { paymentFields } from './filter-fields.ts'

/** Returns what the payments of a project, or of all, can be narrowed by. */
export function usePaymentFields(projectId: string): readonly FilterField[] {
  const isAll = projectId === ALL_PROJECTS
  const { data: projects = [] } = useQuery({ ...projectsQuery, enabled: isAll })
  const [search] = useSearchState()
  return paymentFields(isAll ? projects : undefined, search)
}
