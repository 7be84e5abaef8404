// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity 0.8.37;

import {KassaFactory} from "../src/sweep/kassa-factory.sol";
import {KassaVault} from "../src/sweep/kassa-vault.sol";
import {Log, newFactory, ofAccount, one, vm} from "./cheats.sol";
import {Stipend, Token} from "./tokens.sol";

contract AccessTest {
    KassaFactory private factory;
    KassaVault private vault;
    Token private token;
    address private constant COLD = address(0xC01D);
    address private constant ACCOUNT = address(0xE0A);

    function setUp() public {
        vm.warp(1e9);
        factory = newFactory();
        vault = factory.createVault(bytes32(uint256(1)), COLD);
        token = new Token();
    }

    function test_I9_the_address_is_known_before_and_nobody_else_gets_it() public {
        address mine = factory.vaultAddress(address(this), bytes32(uint256(2)));
        vm.prank(address(0xBAD));
        KassaVault theirs = factory.createVault(bytes32(uint256(2)), address(0xBAD));
        require(address(theirs) != mine && theirs.owner() == address(0xBAD), "I9");
        require(address(factory.createFundSweeperContract(bytes32(uint256(2)), COLD)) == mine, "I9");
        vm.expectRevert();
        factory.createVault(bytes32(uint256(2)), COLD);
    }

    function testFuzz_I9_vault_addresses_differ_by_owner(address owner, address other, bytes32 salt) public view {
        require(owner == other || factory.vaultAddress(owner, salt) != factory.vaultAddress(other, salt), "I9");
    }

    function test_a_vault_begins_once_and_by_its_factory() public {
        vm.expectRevert(KassaVault.NotFactory.selector);
        vault.initialize(address(0xBAD));
        vm.prank(address(factory));
        vm.expectRevert(KassaVault.NotFactory.selector);
        vault.initialize(address(0xBAD));
        vm.expectRevert(KassaVault.BadAddress.selector);
        factory.createVault(bytes32(uint256(3)), address(0));
    }

    /// Published scripts name the owner as collector: the contract lets them, the server does not on mainnet.
    function test_a_vault_may_begin_with_its_owner_as_collector() public {
        require(factory.createVault(bytes32(uint256(3)), address(this)).collector() == address(this));
    }

    function testFuzz_I5_a_deposit_obeys_its_vault_only(address caller, uint160 salt, uint96 amount) public {
        vm.assume(caller != address(vault));
        uint256[] memory salts = new uint256[](1);
        salts[0] = salt;
        vault.deploy(salts);
        address deposit = vault.depositAddress(salt);
        token.mint(deposit, amount);
        vm.prank(caller);
        (bool ok, bytes memory answer) = deposit.call(_order(caller, amount));
        require(ok && answer.length == 0 && token.balanceOf(deposit) == amount, "I5");
    }

    function testFuzz_I5_a_deposit_of_another_vault_does_not_obey(uint96 amount) public {
        KassaVault other = factory.createVault(bytes32(uint256(9)), address(0xBAD));
        address deposit = vault.depositAddress(1);
        token.mint(deposit, amount);
        vault.sweepToken(address(token), one(1, 0));
        other.sweepTokenDelegated(address(token), ofAccount(deposit, amount));
        other.sweepToken(address(token), one(1, amount));
        require(token.balanceOf(deposit) == amount, "I5");
    }

    function test_I5_a_deposit_is_never_called_as_a_token() public {
        vault.sweepToken(address(token), one(1, 0));
        vm.etch(ACCOUNT, abi.encodePacked(hex"ef0100", vault.DELEGATE()));
        address[2] memory ours = [vault.depositAddress(1), ACCOUNT];
        KassaVault.Permit[] memory permits = new KassaVault.Permit[](1);
        for (uint256 i; i < 2; ++i) {
            vm.expectRevert(KassaVault.BadAddress.selector);
            vault.pullToken(ours[i], ofAccount(address(this), 1));
            vm.expectRevert(KassaVault.BadAddress.selector);
            vault.permitToken(ours[i], permits);
        }
    }

    function testFuzz_I6_an_account_that_delegates_here_is_swept(uint96 held, uint96 amount) public {
        vm.assume(amount <= held);
        vm.etch(ACCOUNT, abi.encodePacked(hex"ef0100", vault.DELEGATE()));
        token.mint(ACCOUNT, held);
        vm.deal(ACCOUNT, held);
        vault.sweepTokenDelegated(address(token), ofAccount(ACCOUNT, amount));
        vault.sweepNativeDelegated(ofAccount(ACCOUNT, amount));
        require(token.balanceOf(COLD) == amount && COLD.balance == amount, "I6");
        vm.prank(address(0xBAD));
        (bool ok,) = ACCOUNT.call(_order(address(0xBAD), 1));
        require(ok && token.balanceOf(address(0xBAD)) == 0, "I5");
    }

    function testFuzz_I6_any_other_account_is_left_alone(address delegate, uint96 amount) public {
        vm.assume(delegate != vault.DELEGATE());
        bytes[4] memory codes =
            [bytes(""), abi.encodePacked(hex"ef0100", delegate), vault.DELEGATE().code, bytes(hex"5f5ff3")];
        for (uint256 i; i < 4; ++i) {
            if (codes[i].length != 0) vm.etch(ACCOUNT, codes[i]);
            vm.deal(ACCOUNT, amount);
            token.mint(ACCOUNT, amount);
            vm.recordLogs();
            vault.sweepTokenDelegated(address(token), ofAccount(ACCOUNT, amount));
            vault.sweepNativeDelegated(ofAccount(ACCOUNT, amount));
            Log[] memory logs = vm.getRecordedLogs();
            require(logs.length == 2, "I6: each item is named once");
            for (uint256 n; n < 2; ++n) require(logs[n].topics[0] == KassaVault.ItemFailed.selector, "I6: as failed");
            require(token.balanceOf(COLD) == 0 && COLD.balance == 0, "I6");
        }
    }

    function test_a_deposit_takes_native_money_like_an_account() public {
        vault.sweepToken(address(token), one(1, 0));
        vm.etch(ACCOUNT, abi.encodePacked(hex"ef0100", vault.DELEGATE()));
        Stipend stipend = new Stipend();
        vm.deal(address(stipend), 3);
        address[3] memory targets = [vault.depositAddress(1), vault.depositAddress(2), ACCOUNT];
        for (uint256 i; i < 3; ++i) {
            stipend.pay(payable(targets[i]));
            require(targets[i].balance == 1);
        }
        vm.deal(address(this), 1);
        (bool ok,) = vault.depositAddress(1).call{value: 1}("order 4711");
        require(ok && vault.depositAddress(1).balance == 2);
    }

    function test_the_vault_itself_takes_no_money() public {
        vm.deal(address(this), 1);
        (bool ok,) = address(vault).call{value: 1}("");
        require(!ok);
    }

    function _order(address to, uint256 amount) private view returns (bytes memory) {
        return abi.encodePacked(uint256(uint160(address(token))), uint256(0), abi.encodeCall(Token.transfer, (to, amount)));
    }
}
