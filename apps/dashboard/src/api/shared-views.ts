import { sharedViewsRoutes } from '@kassa/contract/shared-views/routes.ts'
import type { ChangeSharedView, NewSharedView, SharedView } from '@kassa/contract/shared-views/schemas.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'
import { useChange } from './intent.ts'

/** The views of lists that members of a project share. */
export function sharedViewsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['shared-views', projectId],
    queryFn: ({ signal }) => call(sharedViewsRoutes.listSharedViews, { params: { p: projectId } }, { signal }),
  })
}

export type ChangeSharedViews = {
  readonly share: (view: NewSharedView) => Promise<SharedView>
  readonly change: (id: number, change: ChangeSharedView) => Promise<SharedView>
  readonly remove: (id: number) => Promise<unknown>
}

/** Shares, changes and deletes views of a project; each throws RequestError. */
export function useSharedViewChanges(projectId: string): ChangeSharedViews {
  const intent = useChange('shared-views')
  const one = (id: number) => ({ p: projectId, id: String(id) })
  return {
    share: (body) =>
      intent(body, (idempotencyKey) =>
        call(sharedViewsRoutes.shareView, { params: { p: projectId }, body }, { idempotencyKey }),
      ),
    change: (id, body) =>
      intent({ id, ...body }, (idempotencyKey) =>
        call(sharedViewsRoutes.changeSharedView, { params: one(id), body }, { idempotencyKey }),
      ),
    remove: (id) =>
      intent({ id }, (idempotencyKey) =>
        call(sharedViewsRoutes.deleteSharedView, { params: one(id) }, { idempotencyKey }),
      ),
  }
}
