import type { SharedView } from '@kassa/contract/shared-views/schemas.ts'
import type { Selectable } from 'kysely'

import type { Json, SerialId } from '../../db/columns.ts'

export type SharedViewTables = {
  shared_views: {
    id: SerialId
    project_id: number
    screen: SharedView['screen']
    name: string
    search: Json<SharedView['search']>
    layout: Json<SharedView['layout']>
    shared_by: number
    created_at: Date
    updated_at: Date
  }
}

export type SharedViewRow = Selectable<SharedViewTables['shared_views']>
