// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity 0.8.37;

interface IToken {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external;
}

/// Moves what deposit addresses hold to one address, the collector, and nowhere else. Whoever pays the gas may call.
/// The owner may name another collector, which takes 48 hours and which the present collector may refuse.
///
/// An item of a batch is `id << 96 | amount`: which deposit, and how many units of it. An item that fails is skipped.
contract KassaVault {
    struct Permit {
        address owner;
        uint256 value;
        uint256 deadline;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    /// How long a new collector or owner is public before it can be accepted.
    uint256 public constant DELAY = 48 hours;

    address public owner;
    address public collector;
    address public pendingCollector;
    /// When the pending collector can be accepted; 0 when none is pending.
    uint64 public collectorReadyAt;
    address public pendingOwner;
    uint64 public ownerReadyAt;
    bool public frozen;

    address private immutable FACTORY;
    /// Hash of the code that creates a deposit contract; with the salt it makes the address.
    bytes32 public immutable DEPOSIT_INIT_HASH;
    /// The deposit contract of salt 0: the code that an account delegates to (EIP-7702).
    address public immutable DELEGATE;
    /// Hash of the code of an account that delegates to DELEGATE.
    bytes32 public immutable DELEGATED_CODE_HASH;
    /// Hash of the code of a deposit contract.
    bytes32 private immutable DEPOSIT_CODE_HASH;
    /// First byte of what CREATE2 hashes: 0xff, on TVM 0x41.
    bytes1 public immutable PREFIX;

    event NativeSwept(address indexed deposit, uint256 amount);
    event ItemFailed(address indexed deposit, address indexed token, uint256 amount);
    event CollectorProposed(address indexed current, address indexed proposed, uint64 readyAt);
    event CollectorCancelled(address indexed proposed, address indexed by);
    event CollectorChanged(address indexed from, address indexed to);
    event CollectorFrozen(address indexed collector);
    event OwnerProposed(address indexed proposed, uint64 readyAt);
    event OwnerCancelled(address indexed proposed, address indexed by);
    event OwnerChanged(address indexed from, address indexed to);

    error BadAddress();
    error Frozen();
    error NotFactory();
    error NotOwner();
    error NothingPending();
    error TooEarly();

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner();
        _;
    }

    /// The collector is set by `initialize`, so that the address depends on factory, owner and salt alone.
    constructor(address owner_) {
        FACTORY = msg.sender;
        owner = owner_;
        bytes memory init = _depositInitCode();
        bytes32 initHash = keccak256(init);
        address delegate = _create2(init, 0);
        bytes1 prefix = _addressAt(0xff, 0, initHash) == delegate ? bytes1(0xff) : bytes1(0x41);
        if (_addressAt(prefix, 0, initHash) != delegate) revert BadAddress();
        DEPOSIT_INIT_HASH = initHash;
        DELEGATE = delegate;
        DELEGATED_CODE_HASH = keccak256(abi.encodePacked(hex"ef0100", delegate));
        DEPOSIT_CODE_HASH = delegate.codehash;
        PREFIX = prefix;
    }

    function initialize(address collector_) external {
        if (msg.sender != FACTORY || collector != address(0)) revert NotFactory();
        if (collector_ == address(0) || collector_ == address(this)) revert BadAddress();
        collector = collector_;
        emit CollectorChanged(address(0), collector_);
    }

    // ── Anyone: every unit goes to the collector ─────────────────────────────────────────────────────────────────────

    /// Sweeps a token from deposit contracts, and creates those that do not exist yet. id = salt
    function sweepToken(address token, uint256[] calldata items) external {
        address to = collector;
        for (uint256 i; i < items.length; ++i) {
            (address deposit, bool exists) = _ensureDeposit(items[i] >> 96);
            _pushToken(exists, deposit, token, to, uint96(items[i]));
        }
    }

    /// Sweeps native money from deposit contracts, likewise. id = salt
    function sweepNative(uint256[] calldata items) external {
        address to = collector;
        for (uint256 i; i < items.length; ++i) {
            (address deposit, bool exists) = _ensureDeposit(items[i] >> 96);
            _pushNative(exists, deposit, to, uint96(items[i]));
        }
    }

    /// Sweeps a token from accounts that delegate to DELEGATE; any other account is skipped. id = account
    function sweepTokenDelegated(address token, uint256[] calldata items) external {
        address to = collector;
        for (uint256 i; i < items.length; ++i) {
            address account = address(uint160(items[i] >> 96));
            _pushToken(account.codehash == DELEGATED_CODE_HASH, account, token, to, uint96(items[i]));
        }
    }

    /// Sweeps native money from accounts that delegate to DELEGATE; any other account is skipped. id = account
    function sweepNativeDelegated(uint256[] calldata items) external {
        address to = collector;
        for (uint256 i; i < items.length; ++i) {
            address account = address(uint160(items[i] >> 96));
            _pushNative(account.codehash == DELEGATED_CODE_HASH, account, to, uint96(items[i]));
        }
    }

    /// Pulls a token from accounts that approved this vault. id = account
    function pullToken(address token, uint256[] calldata items) external {
        _pull(token, items);
    }

    /// Hands permits (EIP-2612) to a token. One that somebody handed in before fails, and the approval stands.
    function permitToken(address token, Permit[] calldata permits) external {
        _permit(token, permits);
    }

    function permitAndPull(address token, Permit[] calldata permits, uint256[] calldata items) external {
        _permit(token, permits);
        _pull(token, items);
    }

    /// Creates deposit contracts ahead; those that exist are left alone.
    function deploy(uint256[] calldata salts) external {
        for (uint256 i; i < salts.length; ++i) {
            _ensureDeposit(salts[i]);
        }
    }

    // ── Owner and collector ──────────────────────────────────────────────────────────────────────────────────────────

    /// Names another collector. A second proposal takes the place of the first and waits its own 48 hours.
    function proposeCollector(address to) external onlyOwner {
        if (frozen) revert Frozen();
        if (to == address(0) || to == owner || to == address(this)) revert BadAddress();
        pendingCollector = to;
        collectorReadyAt = uint64(block.timestamp + DELAY);
        emit CollectorProposed(collector, to, collectorReadyAt);
    }

    function acceptCollector() external {
        address to = pendingCollector;
        if (collectorReadyAt == 0) revert NothingPending();
        if (block.timestamp < collectorReadyAt) revert TooEarly();
        if (msg.sender != to && msg.sender != owner) revert NotOwner();
        _clearPendingCollector();
        emit CollectorChanged(collector, to);
        collector = to;
    }

    /// Withdraws a proposal; the present collector may too, at any time before it is accepted.
    function cancelCollector() external {
        if (msg.sender != owner && msg.sender != collector) revert NotOwner();
        if (collectorReadyAt == 0) revert NothingPending();
        emit CollectorCancelled(pendingCollector, msg.sender);
        _clearPendingCollector();
    }

    /// Makes the collector final, for ever.
    function freezeCollector() external onlyOwner {
        frozen = true;
        _clearPendingCollector();
        emit CollectorFrozen(collector);
    }

    function proposeOwner(address to) external onlyOwner {
        if (to == address(0) || to == collector || to == address(this)) revert BadAddress();
        pendingOwner = to;
        ownerReadyAt = uint64(block.timestamp + DELAY);
        emit OwnerProposed(to, ownerReadyAt);
    }

    /// The proposed owner takes over, and what the former one proposed is void.
    function acceptOwner() external {
        address to = pendingOwner;
        if (ownerReadyAt == 0) revert NothingPending();
        if (block.timestamp < ownerReadyAt) revert TooEarly();
        if (msg.sender != to) revert NotOwner();
        if (to == collector) revert BadAddress();
        _clearPendingOwner();
        _clearPendingCollector();
        emit OwnerChanged(owner, to);
        owner = to;
    }

    function cancelOwner() external {
        if (msg.sender != owner && msg.sender != collector) revert NotOwner();
        if (ownerReadyAt == 0) revert NothingPending();
        emit OwnerCancelled(pendingOwner, msg.sender);
        _clearPendingOwner();
    }

    // ── Views and insides ────────────────────────────────────────────────────────────────────────────────────────────

    /// The address of a deposit contract, created or not.
    function depositAddress(uint256 salt) public view returns (address) {
        return _addressAt(PREFIX, salt, DEPOSIT_INIT_HASH);
    }

    function _pushToken(bool isOurs, address deposit, address token, address to, uint256 amount) private {
        bytes memory order =
            abi.encodePacked(uint256(uint160(token)), uint256(0), abi.encodeCall(IToken.transfer, (to, amount)));
        if (!isOurs || !_call(deposit, order)) emit ItemFailed(deposit, token, amount);
    }

    function _pushNative(bool isOurs, address deposit, address to, uint256 amount) private {
        bytes memory order = abi.encodePacked(uint256(uint160(to)), amount);
        if (isOurs && _call(deposit, order)) emit NativeSwept(deposit, amount);
        else emit ItemFailed(deposit, address(0), amount);
    }

    function _pull(address token, uint256[] calldata items) private {
        _refuseDeposit(token);
        address to = collector;
        for (uint256 i; i < items.length; ++i) {
            address from = address(uint160(items[i] >> 96));
            bytes memory data = abi.encodeCall(IToken.transferFrom, (from, to, uint96(items[i])));
            if (!_call(token, data)) emit ItemFailed(from, token, uint96(items[i]));
        }
    }

    function _permit(address token, Permit[] calldata permits) private {
        _refuseDeposit(token);
        for (uint256 i; i < permits.length; ++i) {
            Permit calldata p = permits[i];
            bytes memory data =
                abi.encodeCall(IToken.permit, (p.owner, address(this), p.value, p.deadline, p.v, p.r, p.s));
            if (!_call(token, data)) emit ItemFailed(p.owner, token, 0);
        }
    }

    /// A deposit obeys this vault: it must never be called as if it were a token, since it would read the call as an order.
    function _refuseDeposit(address token) private view {
        bytes32 hash = token.codehash;
        if (hash == DEPOSIT_CODE_HASH || hash == DELEGATED_CODE_HASH) revert BadAddress();
    }

    /// Creates the deposit contract of a salt unless it exists. It may fail when gas runs short; the item then fails.
    function _ensureDeposit(uint256 salt) private returns (address deposit, bool exists) {
        deposit = depositAddress(salt);
        exists = deposit.code.length != 0 || _create2(_depositInitCode(), salt) == deposit;
    }

    /// Calls without reading what comes back: a return value proves nothing, and copying it could burn the batch's gas.
    function _call(address to, bytes memory data) private returns (bool ok) {
        assembly ("memory-safe") {
            ok := call(gas(), to, 0, add(data, 32), mload(data), 0, 0)
        }
    }

    function _create2(bytes memory init, uint256 salt) private returns (address created) {
        assembly ("memory-safe") {
            created := create2(0, add(init, 32), mload(init), salt)
        }
    }

    /// 10 bytes that return the 63 bytes behind them; docs/design/money.md 6.3 explains each.
    function _depositInitCode() private view returns (bytes memory) {
        return abi.encodePacked(
            hex"603f80600a5f395ff3fe", // returns the 63 bytes that follow
            hex"73",
            address(this),
            hex"3303603d57", // from anyone else: stop, at the last byte
            hex"5f8036603f19018060408337", // what follows word 1 is the data of the call
            hex"8160203581355af1", // target = word 0, value = word 1, all gas
            hex"3d5f803e156039573d5ff35b3d5ffd5b00" // hands back the result, or reverts with it
        );
    }

    function _addressAt(bytes1 prefix, uint256 salt, bytes32 initHash) private view returns (address) {
        return address(uint160(uint256(keccak256(abi.encodePacked(prefix, address(this), salt, initHash)))));
    }

    function _clearPendingCollector() private {
        delete pendingCollector;
        delete collectorReadyAt;
    }

    function _clearPendingOwner() private {
        delete pendingOwner;
        delete ownerReadyAt;
    }
}
