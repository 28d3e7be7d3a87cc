import sys

sys.stdin.readline()
sys.stdout.write('{"type": "hello", "protocol": 1, "name": "chess player", "games": ["chess"]}\n')
sys.stdout.flush()
sys.stdin.readline()
