/** Coins on a belt, running into a box: the picture beside the forms of the public pages. */
export function Illustration() {
  return (
    <svg viewBox="0 0 560 640" className="h-auto max-h-[720px] w-full max-w-[560px]">
      <rect x="1" y="1" width="558" height="638" rx="24" className="fill-surface stroke-border" />
      <Grid />
      <g className="stroke-border-control" fill="none" strokeWidth="2">
        <path d="M48 398h310" />
        <path d="M48 434h310" />
        <path d="M48 398a18 18 0 0 0 0 36M358 398a18 18 0 0 1 0 36" />
      </g>
      {[78, 146, 214, 282, 340].map((x) => (
        <circle key={x} cx={x} cy="416" r="9" className="fill-sunken stroke-border-control" strokeWidth="2" />
      ))}
      <Coin x={92} y={363} sign="tick" />
      <Coin x={184} y={363} sign="bars" />
      <Coin x={276} y={363} sign="dot" />
      <Coin x={372} y={318} sign="tick" turned />
      <g strokeWidth="2" className="stroke-ink">
        <path d="M392 414h128v108a12 12 0 0 1-12 12H404a12 12 0 0 1-12-12z" className="fill-accent" />
        <path
          d="M380 398h152a6 6 0 0 1 6 6v16a6 6 0 0 1-6 6H380a6 6 0 0 1-6-6v-16a6 6 0 0 1 6-6z"
          className="fill-raised"
        />
        <path d="M404 412h104" strokeWidth="6" strokeLinecap="round" />
      </g>
      <path
        d="M436 470l14 14 28-30"
        fill="none"
        strokeWidth="6"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-on-accent"
      />
      <Receipt />
    </svg>
  )
}

function Grid() {
  return (
    <g className="fill-border">
      {Array.from({ length: 10 }, (_, row) =>
        Array.from({ length: 9 }, (_column, column) => (
          <circle key={`${row}-${column}`} cx={56 + column * 56} cy={56 + row * 58} r="1.5" />
        )),
      )}
    </g>
  )
}

function Coin({
  x,
  y,
  sign,
  turned = false,
}: {
  x: number
  y: number
  sign: 'tick' | 'bars' | 'dot'
  turned?: boolean
}) {
  const marks = { tick: 'M-10 0l7 7L10-7', bars: 'M-9-6H9M-9 0H9M-9 6H9', dot: 'M0-9V9M-9 0H9' }
  return (
    <g transform={`translate(${x} ${y}) rotate(${turned ? 24 : 0})`} strokeWidth="2" className="stroke-ink">
      <circle r="33" className="fill-raised" />
      <circle r="24" fill="none" className="stroke-border-control" />
      <path d={marks[sign]} fill="none" strokeWidth="4" strokeLinecap="round" strokeLinejoin="round" />
    </g>
  )
}

function Receipt() {
  return (
    <g transform="translate(72 108)">
      <path
        d="M0 10a10 10 0 0 1 10-10h176a10 10 0 0 1 10 10v166l-14-10-14 10l-14-10-14 10l-14-10-14 10l-14-10-14 10l-14-10-14 10l-14-10-14 10l-14-10-14 10z"
        strokeWidth="2"
        className="fill-raised stroke-ink"
      />
      <g strokeWidth="6" strokeLinecap="round" className="stroke-border">
        <path d="M24 36h72M24 64h112M24 92h92" />
      </g>
      <path d="M24 128h52" strokeWidth="8" strokeLinecap="round" className="stroke-ink" />
      <rect x="122" y="112" width="52" height="28" rx="14" className="fill-accent stroke-accent-edge" />
      <path
        d="M138 126l7 7 13-14"
        fill="none"
        strokeWidth="4"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-on-accent"
      />
    </g>
  )
}
