import type { ChangeSharedView } from '@kassa/contract/shared-views/schemas.ts'
import { t } from '@lingui/core/macro'

import { asRequestError } from '../../../api/request-error.ts'
import { useSharedViewChanges } from '../../../api/shared-views.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import type { OwnView } from './payment-views.ts'
import type { SavedViews } from './useOwnViews.ts'
import { listedView } from './useSharedViews.ts'

export type ViewChanges = {
  /** Saves the filters and the layout of a view, and returns it as stored; undefined after a failure, which a toast explains. */
  readonly save: (view: OwnView) => Promise<OwnView | undefined>
  readonly rename: (view: OwnView, name: string) => Promise<void>
  readonly remove: (view: OwnView) => Promise<boolean>
  /** Shares a view of this device with everybody in the project. */
  readonly share: (view: OwnView) => Promise<OwnView | undefined>
}

/** Changes views where they are stored: on this device, or in the project. */
export function useViewChanges(own: SavedViews, projectId: string): ViewChanges {
  const shared = useSharedViewChanges(projectId)
  const orToast = <Answer>(attempt: Promise<Answer>): Promise<Answer | undefined> =>
    attempt.catch((thrown: unknown) => {
      const { message, details } = asRequestError(thrown)
      toast.error(details ?? message)
      return undefined
    })
  return {
    save: async (view) => {
      if (view.shared !== undefined) {
        const changed = await orToast(shared.change(view.shared.id, held(view)))
        if (changed !== undefined) own.remove(view.id)
        return changed && listedView(changed)
      }
      own.save(view)
      return view
    },
    rename: async (view, name) => {
      if (view.shared === undefined) own.rename(view.id, name)
      else await orToast(shared.change(view.shared.id, { name }))
    },
    remove: async (view) => {
      if (view.shared !== undefined && (await orToast(shared.remove(view.shared.id))) === undefined) return false
      own.remove(view.id)
      toast.success(t`View “${view.name}” is deleted.`)
      return true
    },
    share: async (view) => {
      const made = await orToast(shared.share({ screen: 'payments', name: view.name, ...held(view) }))
      if (made === undefined) return undefined
      own.remove(view.id)
      toast.success(t`View “${view.name}” is shared.`)
      return listedView(made)
    },
  }
}

function held({ search, layout: { columns, density } }: OwnView) {
  return {
    search: { ...search },
    layout: { ...(columns && { columns: [...columns] }), ...(density && { density }) },
  } satisfies ChangeSharedView
}
