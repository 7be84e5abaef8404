import type { SharedView } from '@kassa/contract/shared-views/schemas.ts'
import { useQuery } from '@tanstack/react-query'

import { useCan } from '../../../api/me.ts'
import { sharedViewsQuery } from '../../../api/shared-views.ts'
import { ALL_PROJECTS, useCurrentProject } from '../../../lib/navigation/current-project.ts'
import { normalized, type OwnView } from './payment-views.ts'

const NONE: readonly OwnView[] = []

/** Returns the views that are shared in the current project; of all projects together none are. */
export function useSharedViews(): readonly OwnView[] {
  const { id: projectId } = useCurrentProject()
  const may = useCan()('payment:read', projectId)
  const { data } = useQuery({ ...sharedViewsQuery(projectId), enabled: may && projectId !== ALL_PROJECTS })
  return data?.map(listedView) ?? NONE
}

/** A shared view as the list uses views; what it does not know of a stored one, it leaves out. */
export function listedView({ id, name, search, layout, sharedBy, mayChange }: SharedView): OwnView {
  const { columns, density } = layout
  return {
    id: `shared-${id}`,
    name,
    search: normalized(search),
    layout: { ...(columns && { columns }), ...(density && { density }) },
    shared: { id, by: sharedBy?.email, mayChange },
  }
}
