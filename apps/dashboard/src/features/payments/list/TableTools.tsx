import { ALL_PROJECTS } from '../../../lib/navigation/current-project.ts'
import { useDensity } from '../../../lib/display/density.ts'
import { ColumnChooser } from '../../../ui/list/ColumnChooser.tsx'
import { DensityButton } from '../../../ui/list/DensityButton.tsx'
import type { Attribute } from '../../../ui/list/columns.ts'
import { columnName, shownByItself } from '../columns/payment-columns.tsx'
import type { Layout, LayoutPatch } from '../views/payment-views.ts'

export type TableToolsProps = {
  readonly projectId: string
  readonly attributes: readonly Attribute[]
  readonly layout: Layout
  readonly onLayout: (patch: LayoutPatch) => void
}

/** Which columns the table shows, and how high its rows are. */
export function TableTools({ projectId, attributes, layout, onLayout }: TableToolsProps) {
  const usual = useDensity()
  return (
    <div className="flex">
      <ColumnChooser
        columns={attributes.map((attribute) => ({ key: attribute.key, label: columnName(attribute) }))}
        shown={layout.columns ?? shownByItself(projectId === ALL_PROJECTS)}
        isOwn={layout.columns !== undefined}
        onChange={(columns) => onLayout({ columns })}
      />
      <DensityButton
        density={layout.density ?? usual}
        onChange={(density) => onLayout({ density: density === usual ? undefined : density })}
      />
    </div>
  )
}
