/** `npm run mutate-contracts`: breaks the contracts in one place at a time; the tests must notice each. Words choose some. */
import { compile } from './compile.ts'
import { runForge } from './forge.ts'

type Mutant = { readonly name: string; readonly from: string; readonly to: string }

/** Each `from` stands exactly once in the sources, which is checked. */
const MUTANTS: readonly Mutant[] = [
  { name: 'any caller commands a deposit', from: '3303603d57"', to: '505b5b5b5b"' },
  { name: 'a deposit always stops', from: '3303603d57"', to: '50005b5b5b"' },
  {
    name: 'a sweep pays the caller',
    from: 'external {\n        address to = collector;\n        for (uint256 i; i < items.length; ++i) {\n            (address deposit, bool exists) = _ensureDeposit(items[i] >> 96);\n            _pushToken',
    to: 'external {\n        address to = msg.sender;\n        for (uint256 i; i < items.length; ++i) {\n            (address deposit, bool exists) = _ensureDeposit(items[i] >> 96);\n            _pushToken',
  },
  {
    name: 'a sweep of native money pays the caller',
    from: 'address to = collector;\n        for (uint256 i; i < items.length; ++i) {\n            (address deposit, bool exists) = _ensureDeposit(items[i] >> 96);\n            _pushNative',
    to: 'address to = msg.sender;\n        for (uint256 i; i < items.length; ++i) {\n            (address deposit, bool exists) = _ensureDeposit(items[i] >> 96);\n            _pushNative',
  },
  { name: 'a pull pays the caller', from: '(from, to, uint96(items[i]))', to: '(from, msg.sender, uint96(items[i]))' },
  { name: 'no delay', from: 'DELAY = 48 hours', to: 'DELAY = 0' },
  { name: 'a delay of 47 hours', from: 'DELAY = 48 hours', to: 'DELAY = 47 hours' },
  {
    name: 'a second proposal keeps the first time',
    from: 'collectorReadyAt = uint64(block.timestamp + DELAY);',
    to: 'if (collectorReadyAt == 0) collectorReadyAt = uint64(block.timestamp + DELAY);',
  },
  {
    name: 'anybody accepts a collector',
    from: 'if (msg.sender != to && msg.sender != owner) revert NotOwner();',
    to: '',
  },
  {
    name: 'no veto of the collector',
    from: 'if (msg.sender != owner && msg.sender != collector) revert NotOwner();\n        if (collectorReadyAt',
    to: 'if (msg.sender != owner) revert NotOwner();\n        if (collectorReadyAt',
  },
  {
    name: 'no veto against an owner',
    from: 'if (msg.sender != owner && msg.sender != collector) revert NotOwner();\n        if (ownerReadyAt',
    to: 'if (msg.sender != owner) revert NotOwner();\n        if (ownerReadyAt',
  },
  { name: 'a freeze that does not freeze', from: 'if (frozen) revert Frozen();', to: '' },
  {
    name: 'a freeze keeps what is pending',
    from: 'frozen = true;\n        _clearPendingCollector();',
    to: 'frozen = true;',
  },
  {
    name: 'a new owner keeps what is pending',
    from: '_clearPendingOwner();\n        _clearPendingCollector();',
    to: '_clearPendingOwner();',
  },
  {
    name: 'anybody proposes a collector',
    from: 'proposeCollector(address to) external onlyOwner',
    to: 'proposeCollector(address to) external',
  },
  {
    name: 'anybody proposes an owner',
    from: 'proposeOwner(address to) external onlyOwner',
    to: 'proposeOwner(address to) external',
  },
  { name: 'anybody freezes', from: 'freezeCollector() external onlyOwner', to: 'freezeCollector() external' },
  {
    name: 'anybody becomes the owner',
    from: 'if (msg.sender != to) revert NotOwner();\n        if (to == collector)',
    to: 'if (to == collector)',
  },
  {
    name: 'the owner becomes the collector',
    from: 'to == address(0) || to == owner || to',
    to: 'to == address(0) || to',
  },
  { name: 'the collector becomes the owner', from: 'if (to == collector) revert BadAddress();', to: '' },
  {
    name: 'a vault begins twice',
    from: 'msg.sender != FACTORY || collector != address(0)',
    to: 'msg.sender != FACTORY',
  },
  {
    name: 'anybody begins a vault',
    from: 'msg.sender != FACTORY || collector != address(0)',
    to: 'collector != address(0) && msg.sender != FACTORY',
  },
  {
    name: 'a vault without its owner in the address',
    from: '(msg.sender);\n        vault.initialize',
    to: '(tx.origin);\n        vault.initialize',
  },
  {
    name: 'any account counts as delegated, for tokens',
    from: '_pushToken(account.codehash == DELEGATED_CODE_HASH,',
    to: '_pushToken(account.code.length == 0 || account.codehash == DELEGATED_CODE_HASH,',
  },
  {
    name: 'any account counts as delegated, for native money',
    from: '_pushNative(account.codehash == DELEGATED_CODE_HASH,',
    to: '_pushNative(account.code.length == 0 || account.codehash == DELEGATED_CODE_HASH,',
  },
  {
    name: 'a deposit is called as a token to pull',
    from: '_refuseDeposit(token);\n        address to',
    to: 'address to',
  },
  { name: 'a deposit is called as a token with permits', from: '_refuseDeposit(token);\n        for', to: 'for' },
  {
    name: 'a failed item stops the batch',
    from: 'emit ItemFailed(deposit, token, amount);',
    to: 'revert BadAddress();',
  },
  { name: 'a failed item is not named', from: 'emit ItemFailed(deposit, token, amount);', to: '{}' },
  {
    name: 'native money that failed counts',
    from: 'if (isOurs && _call(deposit, order)) emit',
    to: '_call(deposit, order);\n        if (isOurs) emit',
  },
  {
    name: 'amounts lose their upper bits',
    from: 'uint256(uint160(to)), amount)',
    to: 'uint256(uint160(to)), uint256(uint64(amount)))',
  },
  { name: 'a permit for the caller', from: '(p.owner, address(this), p.value', to: '(p.owner, msg.sender, p.value' },
  {
    name: 'the vault keeps money',
    from: 'contract KassaVault {\n',
    to: 'contract KassaVault {\n    receive() external payable {}\n',
  },
]

/** Mutants are found by few runs; the long run is for what nobody thought of. */
const SHORT = { FOUNDRY_INVARIANT_RUNS: '40', FOUNDRY_FUZZ_RUNS: '64' }

let tried = 0
let survivors = 0
let places: number
const only = process.argv.slice(2)
for (const { name, from, to } of MUTANTS) {
  if (only.length > 0 && !only.some((word) => name.includes(word))) continue
  places = 0
  const factory = factoryOf(
    compile((text) => {
      places += text.split(from).length - 1
      return text.replace(from, () => to)
    }),
  )
  const { passed, output } = await runForge({ factory, env: SHORT })
  const noticed = /\[FAIL[\s\S]*?\s((?:test|invariant)\w+)\(/.exec(output)?.[1]
  tried += 1
  const isDead = places === 1 && !passed && noticed !== undefined
  if (!isDead) survivors += 1
  console.log(
    `${isDead ? '✓' : '✗'} ${name}: ${places === 1 ? (noticed ?? 'NOT NOTICED') : `stands in ${places} places`}`,
  )
}
console.log(`${tried} mutants, ${survivors} alive`)
process.exitCode = survivors === 0 ? 0 : 1

function factoryOf(files: Map<string, string>): string {
  const [, code] = /bytecode: '(0x[0-9a-f]+)'/.exec(files.get('kassa-factory.ts') ?? '') ?? []
  if (code === undefined) throw new Error('The mutant does not compile')
  return code
}
