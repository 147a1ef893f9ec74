#!/bin/sh
# A fake engine for `chuhe match`: it answers at once and shuffles a rook of the start position, so that a game between two of
# them is drawn by repetition after 8 plies. What the first argument names happens at the move of its own with the number of the
# second, from 1, or where it is a matter of the start, there. With the third argument it knows UCI only, and numbers ranks from 1.

# The shuffling move at a ply, with ranks from 0 or, with another argument, from 1.
shuffle() {
  case $(($1 % 4))$2 in
    0) move=i0i1 ;; 1) move=a9a8 ;; 2) move=i1i0 ;; 3) move=a8a9 ;;
    01) move=i1i2 ;; 11) move=a10a9 ;; 21) move=i2i1 ;; 31) move=a9a10 ;;
  esac
}
answer() {
  case $game in *" moves "*) moves=${game##* moves } ;; *) moves= ;; esac
  set -- "$1" "$2" "$3" $moves
  ply=$(($# - 3))
  tail=
  if [ "$1" = hit ]; then shuffle $((ply + 1)); tail=" ponder $move"; fi
  if [ "$1" = miss ]; then case $((ply % 2)) in 0) tail=" ponder h9g7" ;; 1) tail=" ponder h0g2" ;; esac; fi
  if [ "$1" = draw ]; then tail=" draw"; fi
  shuffle $ply $3
  # The question for the numbering of ranks.
  case $game in *R3K4*) move=a$((0$3))a$((1 + 0$3)) ;; esac
  if [ $((ply / 2 + 1)) = "$2" ]; then
    case $1 in
      crash) exit 3 ;;
      kill) kill -9 $$ ;;
      hang) sleep 1000 ;;
      late) sleep 0.4 ;;
      stopped) kill -STOP $$ ;;
      stubborn) trap '' HUP INT TERM PIPE; while :; do sleep 0.2; done ;;
      # As Black, while there is a file of this name.
      gate) while [ $((ply % 2)) = 1 ] && [ -e gate ]; do sleep 0.05; done ;;
      flood) while :; do echo info string flood; done ;;
      # It writes and does not read.
      pipe) exec yes "info string $game" ;;
      mute) exec 1>&- ;;
      deaf) exec 0<&-; sleep 1000 ;;
      illegal) move=e0e9 ;;
      nonsense) move=castles ;;
      chinese) move=炮二平五 ;;
      null) move=0000 ;;
      empty) echo "bestmove"; return ;;
      nothing) echo nobestmove; return ;;
      half) printf 'bestmove %s' $move; sleep 1000 ;;
      cut) printf 'bestmove %s' $move; exit ;;
      child) sleep 1000 & echo $! >> children; exit 4 ;;
      daemon) (trap '' HUP INT TERM; sleep 1000 & sleep 1000) & ;;
      resign) tail=" resign" ;;
      # What is no failure.
      twice) echo "bestmove $move" ;;
      bytes) printf 'info string \377\376\000\r\n\n \t\n' ;;
      binary) head -c 100000 /dev/urandom | tr -d '\n'; echo ;;
      line) head -c 1000000 /dev/zero | tr '\0' x; echo ;;
      lines) yes "info depth 1 score 1 nodes 1 pv $move" | head -n 5000 ;;
      blanks) printf '  \tbestmove   %s  \r\n' $move; return ;;
      numbers) echo "info depth 99999999999 score cp -99999999999999 nodes 18446744073709551615 nps -1 time 1e99 pv"
        echo "info depth 4294967295 score mate 0 nodes 18446744073709551615 multipv 0 pv $move $move x"
        echo "info score mate -2147483648"; echo "info score 2147483647 nodes" ;;
    esac
  fi
  echo "info depth 5 score 12 nodes 77 pv $move"
  echo "bestmove $move$tail"
}
case $1 in
  gone) if [ -e gone ]; then exit 7; fi; : > gone ;;
  silent) while read -r line; do :; done ;;
  # It answers no greeting.
  foreign) while read -r line; do [ "$line" != isready ] || echo readyok; done ;;
  closed) exec 1>&-; sleep 1000 ;;
  endless) exec yes "option name x type spin" ;;
  # It answers without reading: what it is sent fills the pipe.
  ahead) echo "option x type string"; echo ucciok; while :; do echo readyok; echo "bestmove i0i1"; done ;;
  early) echo readyok; echo bestmove i0i1; echo ucciok; echo uciok ;;
esac
game=
while read -r word rest; do
  case $word in
    ucci) if [ -n "$3" ]; then echo "Unknown command: ucci"; else
        echo "id name fake $1"
        # `seconds` and `both` count seconds in UCCI; `both` speaks UCI as well, and `seconds` ends when it is asked.
        case $1 in seconds | both) ;; *) echo "option usemillisec type check default true" ;; esac
        echo "option Book type string"
        if [ "$1" = option ]; then echo "option"; echo "option  type"; echo "option a type spin min z max -"; fi
        echo ucciok; fi ;;
    uci) if [ "$1" = seconds ]; then exit 1; fi
      if [ -n "$3" ] || [ "$1" = both ]; then
        echo "id name fake $1"; echo "option name UCI_Variant type combo default chess var chess var xiangqi"
        echo uciok; fi ;;
    isready) if [ "$1" != unready ]; then echo readyok; fi ;;
    position) game=$rest ;;
    quit) if [ "$1" != stays ]; then exit 0; fi ;;
    go) case $rest in ponder*) ;; *) answer "$@" ;; esac ;;
    ponderhit | stop) answer "$@" ;;
  esac
done
