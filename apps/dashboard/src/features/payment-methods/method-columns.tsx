import { plural, t } from '@lingui/core/macro'

import type { PaymentMethod } from '../../api/payment-methods.ts'
import type { Can } from '../../api/me.ts'
import type { ListedProject } from '../../api/projects.ts'
import { Amount } from '../../ui/Amount.tsx'
import type { Column } from '../../ui/table-columns.ts'
import { isLast, methodName, type MethodRow } from './method-rows.ts'
import { MethodCell } from './MethodCell.tsx'

/** What is accepted, from which amount on, after how many blocks; then one column for each project. */
export function methodColumns(
  projects: readonly ListedProject[],
  lists: ReadonlyMap<number, readonly PaymentMethod[]>,
  can: Can,
): Column<MethodRow>[] {
  return [
    { key: 'name', label: t`Payment method`, card: 'title', cell: methodName },
    ...projects.map((project): Column<MethodRow> => ({
      key: `project-${project.id}`,
      label: project.name,
      card: 'line',
      cardLabel: true,
      cell: (row) => {
        const method = row.byProject.get(project.id)
        if (method === undefined) return null
        return (
          <MethodCell
            project={project}
            method={method}
            name={methodName(row)}
            isOnly={isLast(lists.get(project.id) ?? [], method)}
            mayChange={can('project:update', project.id)}
          />
        )
      },
    })),
    {
      key: 'minimum',
      label: t`Smallest payment`,
      align: 'end',
      card: 'foot',
      cardLabel: true,
      needsRoom: true,
      cell: ({ asset, currency }) =>
        asset === undefined ? null : <Amount value={asset.minDepositAmount ?? '0'} currency={currency} />,
    },
    {
      key: 'confirmations',
      label: t`Final after`,
      align: 'end',
      card: 'foot',
      cardLabel: true,
      needsRoom: true,
      cell: ({ asset }) => asset && blocksText(asset.blockchain.minConfirmations),
    },
  ]
}

function blocksText(blocks: number): string {
  return t`${plural(blocks, { one: '# block', other: '# blocks' })}`
}
