"""Asks a server by berserk, unchanged. usage: berserk_client.py BASE_URL"""
import sys

import berserk

client = berserk.Client(explorer_url=sys.argv[1])
explorer = client.opening_explorer


def games(answer):
    return answer["white"] + answer["draws"] + answer["black"]


masters = explorer.get_masters_games()
lichess = explorer.get_lichess_games()
player = explorer.get_player_games(player="Bo", color="black", wait_for_indexing=True)
best = masters["topGames"][0]["id"]
assert "https://lichess.org/" + best in explorer.get_otb_master_game(best)
early = explorer.get_masters_games(position="rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
assert games(early) == games(masters), early
print(games(masters), games(lichess), games(player), best)
