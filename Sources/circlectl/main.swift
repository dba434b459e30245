print("circlectl")
