// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity 0.8.37;

import {KassaVault} from "../src/sweep/kassa-vault.sol";
import {newFactory, ofAccount, one, vm} from "./cheats.sol";
import {Token} from "./tokens.sol";

/// Everything that anybody but owner and collector can do, at random.
contract Crowd {
    uint256 public constant DEPOSITS = 8;
    KassaVault public immutable vault;
    Token public immutable token;
    address public immutable approver = address(0xA11CE);
    address public immutable delegated = address(0xDE1E);
    address[] private deposits;
    uint256 public minted;
    uint256 public mintedNative;
    bool public obeyed;

    constructor(KassaVault vault_, Token token_) {
        vault = vault_;
        token = token_;
        for (uint256 salt; salt < DEPOSITS; ++salt) deposits.push(vault_.depositAddress(salt));
        vm.prank(approver);
        token_.approve(address(vault_), type(uint256).max);
        vm.etch(delegated, abi.encodePacked(hex"ef0100", vault_.DELEGATE()));
    }

    function fund(uint8 salt, uint96 amount) external {
        _mint(_deposit(salt), amount % 1e12);
    }

    function fundAccounts(bool approving, uint96 amount) external {
        _mint(approving ? approver : delegated, amount % 1e12);
    }

    function fundNative(uint8 salt, bool account, uint96 amount) external {
        address to = account ? delegated : _deposit(salt);
        vm.deal(to, to.balance + amount % 1e12);
        mintedNative += amount % 1e12;
    }

    function sweep(address caller, uint8 salt, uint96 amount) external {
        vm.prank(caller);
        vault.sweepToken(address(token), one(salt % DEPOSITS, amount % 1e12));
    }

    function sweepNative(address caller, uint8 salt, uint96 amount) external {
        vm.prank(caller);
        vault.sweepNative(one(salt % DEPOSITS, amount % 1e12));
    }

    function sweepDelegated(address caller, bool native, uint96 amount) external {
        vm.prank(caller);
        if (native) vault.sweepNativeDelegated(ofAccount(delegated, amount % 1e12));
        else vault.sweepTokenDelegated(address(token), ofAccount(delegated, amount % 1e12));
    }

    function sweepStranger(address caller, address account, uint96 amount) external {
        vm.prank(caller);
        vault.sweepTokenDelegated(address(token), ofAccount(account, amount));
    }

    function pull(address caller, uint96 amount) external {
        vm.prank(caller);
        vault.pullToken(address(token), ofAccount(approver, amount % 1e12));
    }

    /// Any contract as a token, the deposits, the delegated account, the vault and the factory among them.
    function foreignToken(address caller, uint8 kind, uint8 salt, address foreign, uint160 id, uint96 amount) external {
        address[5] memory known = [_deposit(salt), delegated, address(vault), address(token), foreign];
        address chosen = known[kind % 5];
        bytes[4] memory calls = [
            abi.encodeCall(KassaVault.sweepToken, (chosen, one(salt % DEPOSITS, amount))),
            abi.encodeCall(KassaVault.sweepTokenDelegated, (chosen, ofAccount(delegated, amount))),
            abi.encodeCall(KassaVault.pullToken, (chosen, one(id, amount))),
            abi.encodeCall(KassaVault.permitAndPull, (chosen, _permit(id, amount), one(id, amount)))
        ];
        vm.prank(caller);
        (bool ok,) = address(vault).call(calls[(kind / 5) % 4]);
        ok;
    }

    function callVault(address caller, bytes calldata data) external {
        vm.assume(caller != vault.owner() && caller != vault.collector());
        vm.prank(caller);
        (bool ok,) = address(vault).call(data);
        ok;
    }

    function callVaultSelector(address caller, uint8 which, address argument) external {
        vm.assume(caller != vault.owner() && caller != vault.collector());
        bytes[8] memory calls = [
            abi.encodeCall(KassaVault.initialize, (argument)),
            abi.encodeCall(KassaVault.proposeCollector, (argument)),
            abi.encodeCall(KassaVault.acceptCollector, ()),
            abi.encodeCall(KassaVault.cancelCollector, ()),
            abi.encodeCall(KassaVault.proposeOwner, (argument)),
            abi.encodeCall(KassaVault.acceptOwner, ()),
            abi.encodeCall(KassaVault.cancelOwner, ()),
            abi.encodeCall(KassaVault.freezeCollector, ())
        ];
        vm.prank(caller);
        (bool ok,) = address(vault).call(calls[which % 8]);
        if (ok) obeyed = true;
    }

    /// An order in the words that the vault uses, from somebody else.
    function callDeposit(address caller, uint8 salt, bool native, bool account, address to, uint96 amount) external {
        vm.assume(caller != address(vault));
        bytes memory order = native
            ? abi.encodePacked(uint256(uint160(to)), uint256(amount))
            : abi.encodePacked(uint256(uint160(address(token))), uint256(0), abi.encodeCall(Token.transfer, (to, amount)));
        vm.prank(caller);
        (bool ok, bytes memory answer) = (account ? delegated : _deposit(salt)).call(order);
        if (!ok || answer.length != 0) obeyed = true;
    }

    function total() external view returns (uint256 units, uint256 native) {
        address collector = vault.collector();
        units = token.balanceOf(collector) + token.balanceOf(approver) + token.balanceOf(delegated);
        native = collector.balance + delegated.balance;
        for (uint256 salt; salt < DEPOSITS; ++salt) {
            units += token.balanceOf(deposits[salt]);
            native += deposits[salt].balance;
        }
    }

    function _mint(address to, uint256 amount) private {
        token.mint(to, amount);
        minted += amount;
    }

    function _deposit(uint8 salt) private view returns (address) {
        return deposits[salt % DEPOSITS];
    }

    function _permit(uint160 id, uint96 amount) private pure returns (KassaVault.Permit[] memory permits) {
        permits = new KassaVault.Permit[](1);
        permits[0] = KassaVault.Permit(address(id), amount, 0, 27, 0, 0);
    }
}

contract MoneyTest {
    KassaVault private vault;
    Crowd private crowd;
    address private constant COLD = address(0xC01D);

    function setUp() public {
        vault = newFactory().createVault(bytes32(uint256(1)), COLD);
        crowd = new Crowd(vault, new Token());
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(crowd);
    }

    /// One function, so that each random call is made once and answers for all of them.
    function invariant_I1_I2_I3_I5_nothing_leaks_and_nobody_commands() public view {
        (uint256 units, uint256 native) = crowd.total();
        require(units == crowd.minted(), "I1: a token went elsewhere");
        require(native == crowd.mintedNative(), "I2: native money went elsewhere");
        require(vault.collector() == COLD && vault.owner() == address(this), "I3: owner or collector changed");
        require(vault.pendingCollector() == address(0) && !vault.frozen(), "I3: a stranger proposed or froze");
        require(!crowd.obeyed(), "I5: a stranger was obeyed");
        require(address(vault).balance == 0, "money in the vault");
    }
}
