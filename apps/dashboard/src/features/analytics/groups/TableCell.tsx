import type { GraphData } from '@kassa/contract/analytics/schemas.ts'

import { shortAddress } from '../../../lib/text/format.ts'
import { timeAgo } from '../../../lib/time/time.ts'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { TruncatedName } from '../../../ui/facts/TruncatedName.tsx'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'

type Cell = Extract<GraphData, { type: 'table_graph' }>['data'][number][number]

/** One cell of a table that the server fills, by what it holds. */
export function TableCell({ cell }: { cell: Cell | undefined }) {
  if (cell === undefined) return null
  if ('image' in cell) return <Icon src={cell.image} name={cell.tooltip} />
  if ('value' in cell) return <TimeAgo at={cell.value} />
  if ('name' in cell) return <TruncatedName name={cell.name === '' ? cell.description : cell.name} />
  if ('href' in cell) {
    const text = cell.ellipsis ? shortAddress(cell.text) : cell.text
    return cell.href === '' ? (
      <span className="font-mono">{text}</span>
    ) : (
      <TextLink href={cell.href} newTab>
        {text}
      </TextLink>
    )
  }
  return (
    <span className="inline-flex items-center gap-2 align-middle">
      {'icon' in cell && <Icon src={cell.icon} name="" />}
      <span>
        <bdi dir="ltr">{cell.text}</bdi>
        {'subtext' in cell && cell.subtext !== '' && <bdi className="ms-1.5 text-muted">{cell.subtext}</bdi>}
      </span>
    </span>
  )
}

/** What a cell says. */
export function cellText(cell: Cell | undefined): string {
  if (cell === undefined) return ''
  if ('image' in cell) return 'referenceID' in cell ? (cell.referenceID ?? '') : cell.tooltip
  if ('value' in cell) return timeAgo(cell.value, new Date())
  if ('name' in cell) return cell.name === '' ? cell.description : cell.name
  return 'subtext' in cell ? `${cell.text} ${cell.subtext}` : cell.text
}

function hide({ currentTarget }: { currentTarget: HTMLElement }): void {
  currentTarget.hidden = true
}

/** A picture of this server; where there is none its place stays empty. */
function Icon({ src, name }: { src: string; name: string }) {
  return (
    <img
      src={src}
      alt={name}
      title={name}
      width={20}
      height={20}
      loading="lazy"
      onError={hide}
      className="max-w-none shrink-0 rounded-full"
    />
  )
}
