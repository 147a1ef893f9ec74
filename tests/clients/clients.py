"""What each client does with the engine: a whole game where it can. `run` installs the client and calls

    python clients.py CLIENT ENGINE FOLDER

A client's function gives a line for each protocol and fails by an exception. Moves are checked by the client's rules
where it has any, games by `chuhe judge`. FOLDER gets what is left behind: games, logs and pictures of windows.
"""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
from importlib.metadata import version

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
# Games without an end by then are left: clients that send no history do not see repetitions.
LONGEST = 300

# Client: packages with versions of PyPI or npm, programs of Debian.
CLIENTS = {
    "cchess": (["cchess==1.25.5"], []),
    "nonebot-plugin-cchess": (["nonebot-plugin-cchess==0.4.2", "nonebot2==2.5.0", "aiosqlite"], []),
    "fairyfishnet": (["fairyfishnet==1.16.74", "pyffish==0.0.90"], []),
    "pychess-external-engine": (["pychess-external-engine==0.2.0", "pyffish==0.0.90"], []),
    "python-chess": (["chess==1.11.2"], []),
    "node-uci": (["node-uci@1.3.4"], ["node", "npm"]),
    "xiangqilab": (["xiangqilab==1.2.0"], ["Xvfb", "import"]),
    "xboard": ([], ["Xvfb", "import", "xboard", "uci2wb", "hoixiangqi"]),
}


def limits(moves):
    """Of a search: Red is the stronger side, so that games end."""
    return {"nodes": 5000} if len(moves) % 2 == 0 else {"depth": 1}


def play(answer, make):
    """The moves of a game: `answer` gives one for the moves before, or none at the end; `make` says whether it is legal."""
    moves = []
    while len(moves) < LONGEST and (move := answer(moves)):
        assert make(move), f"illegal: {move} after {' '.join(moves)}"
        moves.append(move)
    assert moves, "no move"
    return moves


def judged(moves, is_over=False):
    """The number of moves and the verdict of `chuhe judge`, which fails where one is illegal. The game must be over, unless
    the client ended it by rules of its own."""
    command = [ENGINE, "judge", "--json", f"startpos moves {' '.join(moves)}"]
    verdict = json.loads(subprocess.check_output(command))["en"]
    assert is_over or verdict != "ongoing" or len(moves) == LONGEST, f"no move after {' '.join(moves)}"
    return f"{len(moves)} moves, {verdict}"


def cchess():
    from cchess import ChessBoard
    from cchess.engine import UcciEngine, UciEngine

    def answer(engine, board, moves):
        engine.go_from(board.to_fen(), limits(moves))
        lines = 0
        while True:
            if not (action := engine.get_action()):
                time.sleep(0.002)
            elif action["action"] in ("bestmove", "dead", "draw"):
                assert "move" not in action or lines and {"score", "mate"} & action.keys(), action
                return action.get("move")
            else:
                lines += action["action"] == "info_move"

    def make(board, move):
        made = board.move_iccs(move)
        board.next_turn()
        return made

    for protocol, kind in ("UCCI", UcciEngine), ("UCI", UciEngine):
        engine = kind()
        assert engine.load(ENGINE) and engine.wait_for_ready(60)
        if protocol == "UCI":
            engine.set_option("Hash", 32)
        board = ChessBoard(START)
        moves = play(lambda moves: answer(engine, board, moves), lambda move: make(board, move))
        engine.quit()
        yield f"cchess {version('cchess')}, {protocol}: {judged(moves)}"


def nonebot_plugin_cchess():
    import nonebot

    nonebot.init(driver="~none", log_level="ERROR", cchess_engine_path=ENGINE, sqlalchemy_database_url="sqlite+aiosqlite://")
    nonebot.load_plugin("nonebot_plugin_cchess")
    from nonebot_plugin_cchess.board import MoveResult
    from nonebot_plugin_cchess.engine import EngineError
    from nonebot_plugin_cchess.game import AiPlayer, Game

    async def game():
        board, players, moves, result = Game(), [AiPlayer(5), AiPlayer(1)], [], None
        for player in players:
            await player.engine.open()
        try:
            while result is None:
                move = await players[len(moves) % 2].get_move(board.position())
                result = board.push(move)
                assert result not in (MoveResult.ILLEGAL, MoveResult.CHECKED), f"illegal: {move} after {moves}"
                moves.append(str(move))
        except EngineError:
            # Its rules overlook some checks by pawns: it waits for a move of who is mated.
            pass
        finally:
            for player in players:
                player.engine.close()
                await player.engine._process.wait()
        return moves, result

    moves, result = asyncio.run(game())
    verdict = judged(moves, result is not None)
    yield f"nonebot-plugin-cchess {version('nonebot-plugin-cchess')}, UCCI: {verdict}"


def fairyfishnet():
    import configparser

    import pyffish
    from fairyfishnet import worker as module

    settings = configparser.ConfigParser()
    settings.read_dict({"Fishnet": {"EngineDir": ".", "Endpoint": "http://127.0.0.1:9/", "Key": ""}})
    module.get_stockfish_command = lambda conf, update=True: ENGINE
    worker = module.Worker(settings, threads=1, memory=16, progress_reporter=None)
    job = {"game_id": "", "position": START, "variant": "xiangqi"}

    def legal(moves):
        return pyffish.legal_moves("xiangqi", START, moves)

    def answer(moves):
        work = {"type": "move", "id": "x", "level": 1 if len(moves) % 2 else 6}
        return legal(moves) and worker.bestmove(job | {"work": work, "moves": " ".join(moves)})["move"]["bestmove"]

    made = []
    moves = play(answer, lambda move: move in legal(made) and (made.append(move), True))
    work = {"work": {"type": "analysis", "id": "x"}, "moves": " ".join(moves), "nodes": 2000}
    rows = worker.analysis(job | work)["analysis"]
    for ply, row in enumerate(rows):
        line = row.get("pv", "").split()
        assert all(move in legal(moves[:ply] + line[:at]) for at, move in enumerate(line)), f"illegal: {line} at {ply}"
    worker.kill_stockfish()
    yield f"fairyfishnet {version('fairyfishnet')}, UCI: {judged(moves)}; {len(rows)} positions analysed"


def pychess_external_engine():
    import pyffish
    from pychess_external_engine.config import EngineConfig
    from pychess_external_engine.protocol import SearchRequest
    from pychess_external_engine.rules import RulesWorker
    from pychess_external_engine.search import SearchController

    async def answer(controller, moves):
        request = SearchRequest.parse({
            "protocolVersion": 1, "sessionId": "game", "searchId": str(len(moves)), "variant": "xiangqi",
            "engineVariant": "xiangqi", "chess960": False, "initialFen": START, "moves": moves,
            "currentFen": pyffish.get_fen("xiangqi", START, moves), "multiPv": 2, "search": limits(moves),
        })  # fmt: skip
        await controller.begin(request)
        events = [event async for event in controller.events(request)]
        assert events[-1]["type"] == "completed", events[-1]
        assert "bestmove" not in events[-1] or any(event["type"] == "evaluation" for event in events), events
        return events[-1].get("bestmove")

    with asyncio.Runner() as runner:
        # It sets no option that tells its numbering of ranks, which is that of Fairy-Stockfish.
        config = EngineConfig((ENGINE,), options=(("Ranks", "1"),), handshake_timeout=60)
        controller = SearchController(config, lambda: RulesWorker(timeout=60))
        runner.run(controller.initialize())
        moves = play(lambda moves: runner.run(answer(controller, moves)), lambda move: True)
        runner.run(controller.close())
    yield f"pychess-external-engine {version('pychess-external-engine')}, UCI: {judged(moves)}"


def python_chess():
    import chess.engine

    async def talk():
        _, engine = await chess.engine.popen_uci(ENGINE)
        await engine.configure({"Hash": 16, "Threads": 1, "Move Overhead": 50, "Knowledge": "medium"})
        for _ in range(3):
            await engine.ping()
        await engine.quit()
        return engine

    engine = asyncio.run(talk())
    yield f"python-chess {version('chess')}, UCI: {len(engine.options)} options, four set; three pings; no xiangqi board"


def node_uci():
    program = """
        const { Engine } = require("node-uci");
        (async () => {
            const engine = new Engine(process.argv[1]);
            await engine.init();
            await engine.setoption("MultiPV", "2");
            await engine.isready();
            await engine.ucinewgame();
            for (let moves = []; moves.length < LONGEST; ) {
                await engine.position("startpos", moves);
                const found = await engine.go(moves.length % 2 ? { depth: 1 } : { nodes: 5000 });
                if (found.bestmove == "(none)") break;
                if (!found.info.some(line => line.pv && line.score)) throw found;
                console.log(found.bestmove);
                moves.push(found.bestmove);
            }
            await engine.quit();
        })().catch(error => { console.error(error); process.exit(1); });
    """.replace("LONGEST", str(LONGEST))
    moves = subprocess.check_output(["node", "-e", program, ENGINE], text=True, cwd=FOLDER).split()
    yield f"{CLIENTS['node-uci'][0][0].replace('@', ' ')}, UCI: {judged(moves)}"


@contextlib.contextmanager
def screen(size):
    """An X server without a screen, as DISPLAY."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    # It writes the number when it is ready.
    os.environ["DISPLAY"] = ":" + os.read(read, 16).decode().strip()
    try:
        yield
    finally:
        server.terminate()
        server.wait()


def picture(name):
    subprocess.run(["import", "-window", "root", f"png8:{FOLDER}/{name}.png"], check=True)


def xiangqilab():
    # Its settings and the fonts that it installs go to this folder.
    os.environ.update(HOME=FOLDER, XDG_CONFIG_HOME=FOLDER)
    from xiangqilab import main as program
    from xiangqilab.app_path import get_config_path
    from xiangqilab.config.default_config import DEFAULT_CONFIG, create_default_config_file
    from xiangqilab.move_formatter import SimpleIccsMoveFormatter
    from xiangqilab.position_formatter import PositionFormatter

    DEFAULT_CONFIG["engine"] |= {"engine_path": ENGINE, "search_time_seconds": 1, "search_depth": 8}
    create_default_config_file(get_config_path("xiangqilab", "config.json"))
    run, states = program.Controller.run, []

    def watch(controller):
        """Ten times a second: a picture after 30 moves, and out at a third occurrence or when the engine has no move."""
        root, window = controller._window._root, controller._ai_game
        states.append(window.state)
        if window.state.current_step >= 30 and not os.path.exists(f"{FOLDER}/xiangqilab.png"):
            root.update()
            picture("xiangqilab")
        played = window.state.current_variation
        fens = [PositionFormatter.format(*of).split()[:2] for of in zip(played.positions, played.position_infos)]
        if window.state.ai_enabled and fens.count(fens[-1]) < 3:
            root.after(100, watch, controller)
        else:
            window._btn_quit.invoke()
            root.destroy()

    def run_game(controller):
        games = controller._game_picker
        games.refresh(games.state.select_game(next(game for game in games.state.games if game.file_path.endswith("default.json"))))
        games._btn_versus_ai.invoke()
        window = controller._ai_game
        for button in window._chk_btn_ai_play_red, window._chk_btn_ai_play_black, window._btn_enable_ai:
            button.invoke()
        controller._window._root.after(100, watch, controller)
        run(controller)

    program.Controller.run = run_game
    with screen("905x600"):
        program.main()
    assert not states[-1].engine_output or not states[-1].engine_output.error, "the window says: engine error"
    moves = [SimpleIccsMoveFormatter.format(move) for move in states[-1].current_variation.moves]
    yield f"xiangqilab {version('xiangqilab')}, UCI: {judged(moves)}"


def xboard():
    pieces = "-boardSize bulky -pid ~~/themes/xiangqi -trueColors true -useBoardTexture true -overrideLineGap 0".split()
    for which in "lite", "dark":
        pieces += [f"-{which}BackTextureFile", "~~/themes/textures/xqboard-9x10.png"]
    version_of = ["dpkg-query", "-W", "-f", "${Package} ${Version}, ", "xboard", "uci2wb"]
    names = subprocess.run(version_of, capture_output=True, text=True).stdout or "xboard, uci2wb, "
    for protocol, flag in ("UCCI", "-x "), ("UCI", ""):
        game, log = f"{FOLDER}/xboard-{protocol}.pgn", f"{FOLDER}/xboard-{protocol}.txt"
        command = ["xboard", "-variant", "xiangqi", "-fcp", f"uci2wb {flag}{ENGINE}", "-scp", "hoixiangqi", "-mode", "TwoMachines"]
        command += ["-tc", "0:10", "-inc", "0", "-matchGames", "1", "-sgf", game, "-debug", "-nameOfDebugFile", log]
        with screen("580x744"):
            process = subprocess.Popen(command + ["-soundMove", "", "-popupExitMessage", "false"] + pieces, stderr=subprocess.DEVNULL)
            try:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(5)
                picture(f"xboard-{protocol}")
                process.wait(120)
            finally:
                process.kill()
        said = open(log, errors="replace").read()
        assert "llegal" not in said and "forfeit" not in said, f"an illegal move: {log}"
        verdict = json.loads(subprocess.check_output([ENGINE, "judge", "--json", game]))
        assert verdict["recorded"] != "*", f"no result: {game}"
        moves = sum(f"<{player}: move " in line for line in said.splitlines() for player in ("first ", "second"))
        yield f"{names}{protocol}: against hoixiangqi, {moves} moves, {verdict['recorded']}, judged: {verdict['en']}"


if __name__ == "__main__":
    ENGINE, FOLDER = sys.argv[2:]
    results = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        for line in globals()[sys.argv[1].replace("-", "_")]():
            print(line, file=results, flush=True)
